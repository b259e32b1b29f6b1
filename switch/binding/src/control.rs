//! Table entries, their keys and their actions as Python sees them.

use pipeline::{ActionCall, Match, TableAction, WeightedAction};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyTuple};

use crate::errors::InvalidArgument;
use crate::meters::MeterConfig;

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

pub(crate) fn key(fields: Vec<KeyField>) -> Vec<Match> {
    fields.into_iter().map(|KeyField(field)| field).collect()
}

/// A call given as an action's name and its arguments.
pub(crate) fn call(name: String, arguments: Vec<PyBackedBytes>) -> ActionCall {
    let arguments = arguments.iter().map(|value| value.to_vec()).collect();
    ActionCall { name, arguments }
}

/// What an entry does, given as `("action", name, arguments)`, `("member", id)`, `("group", id)`
/// or `("one_shot", [(name, arguments, weight, watch_port)])`.
#[derive(Debug)]
pub(crate) struct Action(pub(crate) TableAction);

impl<'a, 'py> FromPyObject<'a, 'py> for Action {
    type Error = PyErr;

    fn extract(action: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let kind: String = action.get_item(0)?.extract()?;
        let action = match (kind.as_str(), action.len()?) {
            ("action", 3) => {
                let (_, name, arguments): (String, _, _) = action.extract()?;
                TableAction::Call(call(name, arguments))
            }
            ("member", 2) => TableAction::Member(action.get_item(1)?.extract()?),
            ("group", 2) => TableAction::Group(action.get_item(1)?.extract()?),
            ("one_shot", 2) => {
                let actions: Vec<(String, Vec<PyBackedBytes>, u32, Option<u16>)> =
                    action.get_item(1)?.extract()?;
                let weighted = |(name, arguments, weight, watch_port)| WeightedAction {
                    action: call(name, arguments),
                    weight,
                    watch_port,
                };
                TableAction::OneShot(actions.into_iter().map(weighted).collect())
            }
            (kind, length) => {
                return Err(InvalidArgument::new_err(format!(
                    "action '{kind}' of {length} elements; valid: ('action', name, arguments), \
                     ('member', id), ('group', id), \
                     ('one_shot', [(name, arguments, weight, watch_port)])"
                )))
            }
        };
        Ok(Action(action))
    }
}

fn action_tuple<'py>(py: Python<'py>, action: &TableAction) -> PyResult<Bound<'py, PyTuple>> {
    match action {
        TableAction::Call(ActionCall { name, arguments }) => {
            ("action", name, to_bytes(py, arguments)).into_pyobject(py)
        }
        TableAction::Member(id) => ("member", *id).into_pyobject(py),
        TableAction::Group(id) => ("group", *id).into_pyobject(py),
        TableAction::OneShot(actions) => {
            let weighted = |WeightedAction { action, weight, watch_port }: &WeightedAction| {
                let arguments = to_bytes(py, &action.arguments);
                (action.name.clone(), arguments, *weight, *watch_port)
            };
            let actions: Vec<_> = actions.iter().map(weighted).collect();
            ("one_shot", actions).into_pyobject(py)
        }
    }
}

pub(crate) fn to_bytes<'py>(py: Python<'py>, values: &[Vec<u8>]) -> Vec<Bound<'py, PyBytes>> {
    values.iter().map(|value| PyBytes::new(py, value)).collect()
}

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

/// A table entry with its direct counter and meter.
#[pyclass(frozen, module = "p4abs_switch._engine")]
#[derive(Debug)]
pub(crate) struct TableEntry(pub(crate) pipeline::TableEntry);

#[pymethods]
impl TableEntry {
    #[getter]
    fn key<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        self.0.key.iter().map(|field| key_tuple(py, field)).collect()
    }

    #[getter]
    fn action<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        action_tuple(py, &self.0.action)
    }

    #[getter]
    fn priority(&self) -> i32 {
        self.0.priority
    }

    #[getter]
    fn packets(&self) -> u64 {
        self.0.counter.packets
    }

    #[getter]
    fn bytes(&self) -> u64 {
        self.0.counter.bytes
    }

    #[getter]
    fn meter(&self) -> Option<MeterConfig> {
        self.0.meter.map(Into::into)
    }

    #[getter]
    fn idle_timeout_ns(&self) -> u64 {
        self.0.idle_timeout_ns
    }

    #[getter]
    fn idle_ns(&self) -> u64 {
        self.0.idle_ns
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}
