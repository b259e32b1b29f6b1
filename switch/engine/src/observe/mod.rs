//! Watching the switch: what every packet goes through, and the frames of every port.
//!
//! [`Observer`] is told of every event, and passes it to a trace and a capture, if one is under
//! way. Both append to a spool; a thread of its own writes that to the disk, and the packet thread
//! never waits for it.

mod event;
mod filter;
mod observer;
mod packet;
mod pcap;
mod spool;
mod trace;

pub(crate) use event::{DropReason, SwitchEvent};
pub use filter::TraceFilter;
pub use observer::{Observation, Observer, Watch};
pub(crate) use packet::PacketNumber;
pub use pcap::Captured;
pub use trace::{TraceFormat, TraceOptions};
