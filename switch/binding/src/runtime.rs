//! The running program, by messages and without an election, as Python sees it.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::errors::refused;
use crate::switch::Switch;

/// One load of a switch's program, by a P4Info.
#[pyclass(frozen, module = "p4abs_switch._engine")]
#[derive(Debug)]
pub(crate) struct Runtime(p4runtime::Runtime);

#[pymethods]
impl Runtime {
    #[new]
    fn new(py: Python<'_>, switch: &Switch, p4info: PyBackedBytes) -> PyResult<Self> {
        let shared = Arc::clone(&switch.shared);
        let runtime = py.detach(|| p4runtime::Runtime::of(shared, &p4info));
        runtime.map(Runtime).map_err(refused)
    }

    fn write(&self, py: Python<'_>, update: PyBackedBytes) -> PyResult<()> {
        py.detach(|| self.0.write(&update)).map_err(refused)
    }

    fn read<'py>(&self, py: Python<'py>, wanted: Vec<u8>) -> PyResult<Bound<'py, PyBytes>> {
        let found = py.detach(|| self.0.read(wanted)).map_err(refused)?;
        Ok(PyBytes::new(py, &found))
    }

    fn table_entry<'py>(
        &self,
        py: Python<'py>,
        table: &str,
        entry: &IdleEntry,
    ) -> Option<Bound<'py, PyBytes>> {
        let message = py.detach(|| self.0.table_entry(table, &entry.0));
        message.map(|message| PyBytes::new(py, &message))
    }
}

/// A table entry that has become idle.
#[pyclass(frozen, module = "p4abs_switch._engine")]
#[derive(Debug)]
pub(crate) struct IdleEntry(pub(crate) pipeline::TableEntry);
