//! Values and key fields, from Python and back.

use pipeline::Match;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyTuple};

use crate::errors::InvalidArgument;

/// A key field given as `("exact", value)`, `("lpm", value, prefix_length)`,
/// `("ternary", value, mask)`, `("range", low, high)` or `("any",)`.
#[derive(Debug)]
pub(crate) struct KeyField(pub(crate) Match);

impl<'a, 'py> FromPyObject<'a, 'py> for KeyField {
    type Error = PyErr;

    fn extract(field: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let kind: String = field.get_item(0)?.extract()?;
        let value = match (kind.as_str(), field.len()?) {
            ("exact", 2) => Match::Exact(bytes(&field, 1)?),
            ("lpm", 3) => Match::Lpm {
                value: bytes(&field, 1)?,
                prefix_length: field.get_item(2)?.extract()?,
            },
            ("ternary", 3) => Match::Ternary { value: bytes(&field, 1)?, mask: bytes(&field, 2)? },
            ("range", 3) => Match::Range { low: bytes(&field, 1)?, high: bytes(&field, 2)? },
            ("any", 1) => Match::Any,
            (kind, length) => {
                return Err(InvalidArgument::new_err(format!(
                    "match '{kind}' of {length} elements; valid: ('exact', value), \
                     ('lpm', value, prefix_length), ('ternary', value, mask), \
                     ('range', low, high), ('any',)"
                )))
            }
        };
        Ok(KeyField(value))
    }
}

fn bytes(field: &Bound<'_, PyAny>, position: usize) -> PyResult<Vec<u8>> {
    let value: PyBackedBytes = field.get_item(position)?.extract()?;
    Ok(value.to_vec())
}

/// The fields of a key.
pub(crate) fn key(fields: Vec<KeyField>) -> Vec<Match> {
    fields.into_iter().map(|KeyField(field)| field).collect()
}

/// Values as Python's bytes.
pub(crate) fn to_bytes<'py>(py: Python<'py>, values: &[Vec<u8>]) -> Vec<Bound<'py, PyBytes>> {
    values.iter().map(|value| PyBytes::new(py, value)).collect()
}

/// A key field in the form that [`KeyField`] takes.
pub(crate) fn key_tuple<'py>(py: Python<'py>, field: &Match) -> PyResult<Bound<'py, PyTuple>> {
    let value = |value: &[u8]| PyBytes::new(py, value);
    match field {
        Match::Exact(exact) => ("exact", value(exact)).into_pyobject(py),
        Match::Lpm { value: prefix, prefix_length } => {
            ("lpm", value(prefix), *prefix_length).into_pyobject(py)
        }
        Match::Ternary { value: pattern, mask } => {
            ("ternary", value(pattern), value(mask)).into_pyobject(py)
        }
        Match::Range { low, high } => ("range", value(low), value(high)).into_pyobject(py),
        Match::Any => ("any",).into_pyobject(py),
    }
}
