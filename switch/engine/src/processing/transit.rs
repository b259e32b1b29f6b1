//! Packets between two runs of the program, and after the last one.

use super::pool::Buffer;

/// A frame at the far end of a port's wire.
#[derive(Debug)]
pub struct Departure {
    /// When its last bit arrives there.
    pub at_ns: u64,
    /// The egress port.
    pub port: u16,
    /// Its place among all departures of the switch.
    pub sequence: u64,
    pub(super) buffer: Buffer,
}

impl Departure {
    /// The frame, Ethernet without FCS.
    pub fn frame(&self) -> &[u8] {
        self.buffer.packet.frame()
    }
}

/// A packet on its way to the queues of an egress port.
#[derive(Debug)]
pub(crate) struct Forwarded {
    pub(crate) buffer: Buffer,
    pub(crate) port: u16,
    pub(crate) priority: u64,
}

/// A packet on its way back into the switch.
#[derive(Debug)]
pub(crate) enum Returning {
    ToIngress(Buffer),
    ToEgress(Forwarded),
}

impl Returning {
    pub(super) fn buffer(&self) -> &Buffer {
        match self {
            Returning::ToIngress(buffer) | Returning::ToEgress(Forwarded { buffer, .. }) => buffer,
        }
    }

    pub(super) fn into_buffer(self) -> Buffer {
        match self {
            Returning::ToIngress(buffer) | Returning::ToEgress(Forwarded { buffer, .. }) => buffer,
        }
    }
}
