//! The way back into the switch: resubmitted and recirculated packets and clones made in egress.
//!
//! Every circle that a packet can go passes through here, so that the path's rate and memory bound
//! what a program that never lets go of its packets costs: in virtual time, too, where it would
//! otherwise run for ever at one instant. BMv2's buffer for such packets has the same size. In real
//! time a switch that cannot run them as fast as they return lets them return later
//! ([`Loopback::put_off`]), so that they hold up nothing else.

use std::collections::VecDeque;

use crate::time::SwitchTime;

/// What a packet takes on the path; one after the other.
pub(crate) const LOOPBACK_NS: u64 = 1_000;

/// Packets that can be on the path; further ones are lost.
pub(crate) const LOOPBACK_PACKETS: usize = 1_024;

/// Packets on their way back, with the instants at which they arrive.
#[derive(Debug)]
pub(crate) struct Loopback<T> {
    packets: VecDeque<(SwitchTime, T)>,
    /// When the path is free.
    free_at: SwitchTime,
}

impl<T> Loopback<T> {
    pub(crate) fn new() -> Self {
        Loopback { packets: VecDeque::new(), free_at: SwitchTime::default() }
    }

    /// Sends a packet back, or hands it back when the path is full.
    pub(crate) fn push(&mut self, item: T, now: SwitchTime) -> Result<(), T> {
        if self.packets.len() == LOOPBACK_PACKETS {
            return Err(item);
        }
        self.free_at = self.free_at.max(now).after_ns(LOOPBACK_NS);
        self.packets.push_back((self.free_at, item));
        Ok(())
    }

    /// When the next packet arrives.
    pub(crate) fn next_arrival(&self) -> Option<SwitchTime> {
        self.packets.front().map(|&(at, _)| at)
    }

    /// Takes the next packet if it has arrived by `now`.
    pub(crate) fn pop(&mut self, now: SwitchTime) -> Option<(SwitchTime, T)> {
        match self.next_arrival()? <= now {
            true => self.packets.pop_front(),
            false => None,
        }
    }

    /// Lets the next packet arrive at `at`, if it would have before, and the others as long after it
    /// as they would have.
    pub(crate) fn put_off(&mut self, at: SwitchTime) {
        let Some(next) = self.next_arrival() else { return };
        let delay_ns = at.since(next).as_nanos() as u64;
        self.free_at = self.free_at.after_ns(delay_ns);
        for (arrival, _) in &mut self.packets {
            *arrival = arrival.after_ns(delay_ns);
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
