//! Watching the switch: what every packet goes through, and the frames of every port.
//!
//! [`Observer`] is told of every event, and passes it to a trace and a capture, if one is under
//! way. Both append to a spool; a thread of its own writes that to the disk, and the packet thread
//! never waits for it.

mod observer;
mod pcap;
mod spool;
mod trace;

pub(crate) use observer::PacketNumber;
pub use observer::{Observation, Observer};
pub use pcap::Captured;
pub(crate) use trace::{DropReason, SwitchEvent};
pub use trace::{TraceFormat, TraceOptions};
