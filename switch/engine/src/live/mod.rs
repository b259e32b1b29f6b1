//! Live mode: one thread moves frames between Linux interfaces in real time, another follows what
//! becomes of the interfaces.
//!
//! Frames arrive at the instant at which the kernel received them, and queue events carry the
//! instants of the schedule, not those at which the thread got to run: a late wake-up delays frames
//! but never lowers a port's rate.

mod ending;
mod link_watch;
mod live_switch;
mod packet_thread;
mod port;
mod priority;
mod request;

pub use ending::Ending;
pub use live_switch::{IfAbsent, LiveSwitch};
pub use request::PortError;

#[cfg(test)]
mod tests;
