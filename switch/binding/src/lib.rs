//! The Python module `p4abs_switch._engine`. Its types and their documentation are in `_engine.pyi`.
//!
//! A thin layer: every method checks and converts its arguments, lets go of the GIL, calls the
//! engine, and converts the answer. From the top floor down:
//!
//! | floor | what it is |
//! |---|---|
//! | `device` | `Device`: messages in and out; `Server`: over gRPC |
//! | `runtime` | `Runtime`: messages to the running program, without an election |
//! | `port_control`, `hashes`, `trace` | methods of `Switch`, by their subject |
//! | `switch` | `Switch`: program, time, packets, registers |
//! | `ports` | ports and accounts, checked and converted |
//! | `errors` | the engine's errors as Python's exceptions |
#![forbid(unsafe_code)]

mod device;
mod errors;
mod hashes;
mod port_control;
mod ports;
mod runtime;
mod switch;
mod trace;

/// The switch engine: P4 pipeline, queues and Linux interfaces.
#[pyo3::pymodule(name = "_engine")]
mod engine_module {
    #[pymodule_export]
    use crate::device::{ControllerStream, Device, Listening, Server};
    #[pymodule_export]
    use crate::errors::{
        AlreadyExists, EngineError, InterfaceError, InvalidArgument, PipelineRefused,
        RequestRefused, SwitchFailed, UnknownObject,
    };
    #[pymodule_export]
    use crate::ports::{PortConfig, PortStatistics, SwitchStatistics};
    #[pymodule_export]
    use crate::runtime::{IdleEntry, Runtime};
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
    /// Port numbers are below it.
    #[pymodule_export]
    const PORT_LIMIT: u16 = engine::PORT_LIMIT;
    /// The most queues of a port.
    #[pymodule_export]
    const MAX_QUEUES: u8 = engine::MAX_QUEUES;
    /// The highest weight of a queue.
    #[pymodule_export]
    const MAX_WEIGHT: u8 = engine::MAX_WEIGHT;
}
