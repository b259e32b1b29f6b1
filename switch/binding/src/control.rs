//! Table entries and their actions as Python sees them.

use pipeline::{ActionCall, TableAction, WeightedAction};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyTuple;

use crate::convert::{key_tuple, to_bytes};
use crate::errors::InvalidArgument;
use crate::meters::{from_counts, CountsByColor, MeterConfig};

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
    fn meter_counts(&self) -> CountsByColor {
        from_counts(self.0.meter_counts)
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
