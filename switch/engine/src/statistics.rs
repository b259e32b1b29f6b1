//! The accounts of what happened to frames.

use std::ops::AddAssign;

/// Packets and bytes of one kind of event.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many.
    pub packets: u64,
    /// Their frames' bytes, without FCS.
    pub bytes: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, length_bytes: usize) {
        self.packets += 1;
        self.bytes += length_bytes as u64;
    }

    pub(crate) fn subtract(&mut self, length_bytes: usize) {
        self.packets -= 1;
        self.bytes -= length_bytes as u64;
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.packets += other.packets;
        self.bytes += other.bytes;
    }
}

/// Frames lost between the switch and the network.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Losses {
    /// Not received: the switch was too slow, or they were too long or could not be split.
    pub(crate) received_packets: u64,
    /// Sent, but refused by the interface, or while it was down or not there.
    pub(crate) sent_packets: u64,
}

impl AddAssign for Losses {
    fn add_assign(&mut self, other: Losses) {
        self.received_packets += other.received_packets;
        self.sent_packets += other.sent_packets;
    }
}

/// Frames received and sent by one port.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PortTraffic {
    pub(crate) received: Tally,
    pub(crate) sent: Tally,
    /// Packets that ingress has sent to this port alone; copies do not count.
    pub(crate) forwarded_packets: u64,
    pub(crate) losses: Losses,
}

/// What one port did since it was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PortStatistics {
    /// Frames that came in.
    pub received: Tally,
    /// Frames that went out, after link and wire.
    pub sent: Tally,
    /// Frames that found the port's memory or their queue full.
    pub memory_dropped: Tally,
    /// Frames that wait for the link now.
    pub queued: Tally,
    /// Frames on the link or the wire behind it now.
    pub on_wire_packets: u64,
    /// Frames that came in but not to the program: live mode was too slow, or they were too long or
    /// could not be split.
    pub receive_lost_packets: u64,
    /// Frames among `sent` that the interface refused, or that were sent while it was down.
    pub send_lost_packets: u64,
}

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
    /// Discarded because another program was loaded, or their port removed.
    pub flushed: Tally,
    /// Copies made for multicast groups and clone sessions, without the packet that is the last
    /// of its group's replicas.
    pub copied: Tally,
    /// Lost because too many packets were resubmitted, recirculated or cloned in egress at once.
    pub loopback_dropped: Tally,
    /// Packets on their way back into the switch, or on their way to its queues, now.
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
