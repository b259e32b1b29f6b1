//! The way back into the switch: resubmitted and recirculated packets and clones made in egress.
//!
//! Every circle that a packet can go passes through here, so that the path's rate and memory bound
//! what a program that never lets go of its packets costs: in virtual time, too, where it would
//! otherwise run for ever at one instant. BMv2's buffer for such packets has the same size.

use std::collections::VecDeque;

/// What a packet takes on the path; one after the other.
pub(crate) const LOOPBACK_NS: u64 = 1_000;

/// Packets that can be on the path; further ones are lost.
pub(crate) const LOOPBACK_PACKETS: usize = 1_024;

/// Packets on their way back, with the instants at which they arrive.
#[derive(Debug)]
pub(crate) struct Loopback<T> {
    packets: VecDeque<(u64, T)>,
    /// When the path is free.
    free_at_ns: u64,
}

impl<T> Loopback<T> {
    pub(crate) fn new() -> Self {
        Loopback { packets: VecDeque::new(), free_at_ns: 0 }
    }

    /// Sends a packet back, or hands it back when the path is full.
    pub(crate) fn push(&mut self, item: T, now_ns: u64) -> Result<(), T> {
        if self.packets.len() == LOOPBACK_PACKETS {
            return Err(item);
        }
        self.free_at_ns = self.free_at_ns.max(now_ns).saturating_add(LOOPBACK_NS);
        self.packets.push_back((self.free_at_ns, item));
        Ok(())
    }

    /// When the next packet arrives.
    pub(crate) fn next_arrival_ns(&self) -> Option<u64> {
        self.packets.front().map(|&(at_ns, _)| at_ns)
    }

    /// Takes the next packet if it has arrived by `now_ns`.
    pub(crate) fn pop(&mut self, now_ns: u64) -> Option<(u64, T)> {
        match self.next_arrival_ns()? <= now_ns {
            true => self.packets.pop_front(),
            false => None,
        }
    }

    /// Takes the packets off the path.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = T> + '_ {
        self.packets.drain(..).map(|(_, item)| item)
    }

    pub(crate) fn packets(&self) -> impl Iterator<Item = &T> {
        self.packets.iter().map(|(_, item)| item)
    }
}
