//! Live mode: one thread moves frames between Linux interfaces in real time.
//!
//! Frames arrive at the instant at which the kernel received them, and queue events carry the
//! instants of the schedule, not those at which the thread got to run: a late wake-up delays frames
//! but never lowers a port's rate.

mod ending;
mod live_switch;
mod packet_thread;

pub use ending::Ending;
pub use live_switch::LiveSwitch;

#[cfg(test)]
mod tests;
