//! What a switch refuses.

use thiserror::Error;

use crate::config::{port_ranges, ConfigError};

/// Why the switch refused a call. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs)] // the messages say what the fields are
pub enum SwitchError {
    /// The switch has no port of that number.
    #[error("no port {port}; valid: {}", list(.valid))]
    UnknownPort { port: u16, valid: Vec<u16> },
    /// The port has no queue of that priority.
    #[error("port {port} has no queue {queue}; valid: 0 to {}", .queues - 1)]
    UnknownQueue { port: u16, queue: u8, queues: u8 },
    /// The switch has a port of that number.
    #[error("port {port} is in use")]
    PortInUse { port: u16 },
    /// Another port has that interface.
    #[error("interface {interface} is in use by port {port}")]
    InterfaceInUse { interface: String, port: u16 },
    /// No switch can have such a port.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A packet-out came to a switch without CPU port.
    #[error("the switch has no CPU port")]
    NoCpuPort,
    /// A control-plane request came before the first program.
    #[error("no program is loaded")]
    NoProgram,
    /// An event would lie before the present.
    #[error("{at_ns} ns is in the past; it is {now_ns} ns now")]
    Past { at_ns: u64, now_ns: u64 },
    /// Virtual time is for a switch that no clock drives.
    #[error("the switch runs in real time; stop it to use virtual time")]
    RealTime,
    /// A thread panicked or could not go on; nothing can be done with the switch any more.
    #[error("the switch has failed: {reason}")]
    Failed { reason: String },
}

/// What comes of a call to a switch.
pub(crate) type Result<T = (), E = SwitchError> = std::result::Result<T, E>;

fn list(ports: &[u16]) -> String {
    if ports.is_empty() {
        return "none, the switch has no ports".to_owned();
    }
    port_ranges(ports.iter().copied())
}
