//! Packets that traces tell of.

use std::collections::BTreeMap;
use std::fmt;

/// The most packets of which copies are counted; the oldest are forgotten.
const COPIED_PACKETS: usize = 4096;

/// A packet that traces tell of; none: no trace does.
pub(crate) type PacketNumber = Option<TracedPacket>;

/// A packet that traces tell of, or a copy of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TracedPacket {
    /// Among all that traces tell of, from 1.
    pub(crate) number: u64,
    /// Among the packet's copies, from 1; 0: the packet itself.
    pub(crate) copy: u32,
    /// A bit for each trace that tells of it.
    pub(super) traces: u8,
}

impl fmt::Display for TracedPacket {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.copy {
            0 => write!(formatter, "#{}", self.number),
            copy => write!(formatter, "#{}.{copy}", self.number),
        }
    }
}

/// How many copies packets have.
#[derive(Debug, Default)]
pub(super) struct Copies(BTreeMap<u64, u32>);

impl Copies {
    /// One more copy of a packet or of its copies.
    pub(super) fn add(&mut self, original: TracedPacket) -> TracedPacket {
        let copies = self.0.entry(original.number).or_default();
        *copies += 1;
        let copy = TracedPacket { copy: *copies, ..original };
        if self.0.len() > COPIED_PACKETS {
            self.0.pop_first();
        }
        copy
    }
}
