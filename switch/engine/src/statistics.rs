//! The account of what happened to frames.

use crate::egress_port::Tally;

/// What became of frames inside the switch, apart from its ports' statistics.
///
/// Together they balance, in packets and bytes: what the ports received, `copied` and
/// `lengthened_bytes` is what they sent, hold in queues and on wires or dropped for want of memory,
/// and all that is counted here otherwise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SwitchStatistics {
    /// Dropped by the program, or received before one was loaded.
    pub program_dropped: Tally,
    /// Sent by the program to a port that the switch does not have.
    pub no_such_port: Tally,
    /// Sent by the program to a queue that the port does not have.
    pub no_such_queue: Tally,
    /// Discarded because another program was loaded.
    pub flushed: Tally,
    /// Copies made for multicast groups and clone sessions, without the packet that is the last
    /// of its group's replicas.
    pub copied: Tally,
    /// Lost because too many packets were resubmitted, recirculated or cloned in egress at once.
    pub loopback_dropped: Tally,
    /// Packets on their way back into the switch now.
    pub returning: Tally,
    /// Bytes that deparsers added.
    pub lengthened_bytes: u64,
    /// Bytes that deparsers and truncation removed.
    pub shortened_bytes: u64,
}

impl SwitchStatistics {
    /// Accounts for a frame that egress made longer or shorter.
    #[inline]
    pub(crate) fn resized(&mut self, before_bytes: usize, after_bytes: usize) {
        self.lengthened_bytes += after_bytes.saturating_sub(before_bytes) as u64;
        self.shortened_bytes += before_bytes.saturating_sub(after_bytes) as u64;
    }
}
