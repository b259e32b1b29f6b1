//! The Python module `p4abs_switch._engine`. Its types and their documentation are in `_engine.pyi`.
//!
//! A thin layer: every method checks and converts its arguments, lets go of the GIL, calls the
//! engine, and converts the answer. From the top floor down:
//!
//! | floor | what it is |
//! |---|---|
//! | `device` | `Device`: messages in and out; `Server`: over gRPC |
//! | `tables`, `profiles`, `value_sets`, `meters`, `hashes`, `trace` | methods of `Switch`, by their subject |
//! | `control` | table entries and their actions |
//! | `switch` | `Switch`: program, time, packets, registers, counters, replication |
//! | `replication`, `ports`, `convert` | arguments and answers, checked and converted |
//! | `errors` | the engine's errors as Python's exceptions |
#![forbid(unsafe_code)]

mod control;
mod convert;
mod device;
mod errors;
mod hashes;
mod meters;
mod port_control;
mod ports;
mod profiles;
mod replication;
mod switch;
mod tables;
mod trace;
mod value_sets;

/// The switch engine: P4 pipeline, queues and Linux interfaces.
#[pyo3::pymodule(name = "_engine")]
mod engine_module {
    #[pymodule_export]
    use crate::control::TableEntry;
    #[pymodule_export]
    use crate::device::{ControllerStream, Device, Listening, RequestRefused, Server};
    #[pymodule_export]
    use crate::errors::{
        AlreadyExists, EngineError, EntryNotFound, InUse, InterfaceError, InvalidArgument,
        PipelineRefused, SwitchFailed, TableFull, UnknownObject,
    };
    #[pymodule_export]
    use crate::meters::MeterConfig;
    #[pymodule_export]
    use crate::ports::{PortConfig, PortStatistics, SwitchStatistics};
    #[pymodule_export]
    use crate::switch::Switch;
    /// Gives up the privileges of this thread, and of those that it starts, which a switch does
    /// not use.
    #[pyo3::pyfunction]
    fn give_up_privileges() -> pyo3::PyResult<()> {
        engine::give_up_privileges().map_err(|error| EngineError::new_err(error.to_string()))
    }
    /// Gives up, of this thread and of those that it starts, the right to open files of other users.
    #[pyo3::pyfunction]
    fn give_up_file_rights() -> pyo3::PyResult<()> {
        engine::give_up_file_rights().map_err(|error| EngineError::new_err(error.to_string()))
    }
    /// The bound of what waits at a port if nobody gives it one.
    #[pyo3::pyfunction]
    #[pyo3(signature = (rate_bps=None))]
    fn default_memory_bytes(rate_bps: Option<u64>) -> u64 {
        engine::PortConfig::default_memory_bytes(rate_bps.and_then(std::num::NonZeroU64::new))
    }
    /// The same key with canonical byte strings and one way to say that a field does not care.
    #[pyo3::pyfunction]
    fn canonical_key<'py>(
        py: pyo3::Python<'py>,
        key: Vec<crate::convert::KeyField>,
        widths_bits: Vec<u32>,
    ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::types::PyTuple>> {
        let fields = key.iter().zip(widths_bits);
        let fields = fields.map(|(field, width)| p4runtime::canonical_match(&field.0, width));
        let fields = fields.map(|field| crate::convert::key_tuple(py, &field));
        let fields = fields.collect::<pyo3::PyResult<Vec<_>>>()?;
        pyo3::types::PyTuple::new(py, fields)
    }
    /// Port numbers are below it.
    #[pymodule_export]
    const PORT_LIMIT: u16 = engine::PORT_LIMIT;
    /// The most queues of a port.
    #[pymodule_export]
    const MAX_QUEUES: u8 = engine::MAX_QUEUES;
}
