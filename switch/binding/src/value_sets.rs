//! Parser value sets as Python sees them.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::convert::{key, key_tuple, KeyField};
use crate::switch::Switch;

#[pymethods]
impl Switch {
    fn value_set_read<'py>(
        &self,
        py: Python<'py>,
        name: &str,
    ) -> PyResult<Vec<Vec<Bound<'py, PyTuple>>>> {
        let members = self.control(py, |control| control.value_set_read(name))?;
        let tuples = |member: &Vec<_>| member.iter().map(|field| key_tuple(py, field)).collect();
        members.iter().map(tuples).collect()
    }

    fn value_set_write(
        &self,
        py: Python<'_>,
        name: &str,
        members: Vec<Vec<KeyField>>,
    ) -> PyResult<()> {
        let members: Vec<_> = members.into_iter().map(key).collect();
        self.control(py, |control| control.value_set_write(name, &members))
    }
}
