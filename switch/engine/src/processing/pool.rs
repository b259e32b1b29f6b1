//! Packets for reuse, so that none is allocated per frame.

use pipeline::{Packet, Pipeline};

use crate::observe::PacketNumber;

/// Packets kept for reuse; more are freed.
const POOL_PACKETS: usize = 8192;

/// A packet of the program that was loaded when it arrived.
#[derive(Debug)]
pub(crate) struct Buffer {
    pub(crate) packet: Packet,
    generation: u64,
    pub(crate) number: PacketNumber,
}

impl Buffer {
    /// The length of the frame as it is now.
    pub(crate) fn length_bytes(&self) -> usize {
        self.packet.frame().len()
    }
}

/// Spare packets of one program.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    packets: Vec<Packet>,
    generation: u64,
}

impl Pool {
    /// Starts over with the packets of another program.
    pub(crate) fn renew(&mut self) {
        self.generation += 1;
        self.packets.clear();
    }

    /// A packet with any content.
    pub(crate) fn take(&mut self, pipeline: &Pipeline, number: PacketNumber) -> Buffer {
        let packet = self.packets.pop().unwrap_or_else(|| pipeline.new_packet());
        Buffer { packet, generation: self.generation, number }
    }

    /// How many packets are spare.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.packets.len()
    }

    /// Takes a packet back for reuse, unless another program has been loaded since.
    pub(crate) fn recycle(&mut self, buffer: Buffer) {
        if buffer.generation == self.generation && self.packets.len() < POOL_PACKETS {
            self.packets.push(buffer.packet);
        }
    }
}
