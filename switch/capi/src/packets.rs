//! The packets between ingress and egress.

use pipeline::Packet;

use crate::error::Error;

/// Names a packet: its slot, and in the upper half which of the slot's packets it is.
pub type PacketHandle = u64;

const SERIAL_SHIFT: u32 = 32;

/// All packets of a pipeline. A packet that has left is reused.
#[derive(Debug, Default)]
pub(crate) struct Packets {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

#[derive(Debug)]
struct Slot {
    packet: Packet,
    /// Odd while the packet is in use; grows with every use and release, so that no old handle
    /// is taken for a new one (until it wraps, after 2^31 packets in this slot).
    serial: u32,
}

impl Packets {
    /// A packet for use; `new_packet` makes one if none is free.
    pub(crate) fn acquire(
        &mut self,
        new_packet: impl FnOnce() -> Packet,
    ) -> (PacketHandle, &mut Packet) {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { packet: new_packet(), serial: 0 });
            (self.slots.len() - 1) as u32
        });
        let slot = &mut self.slots[index as usize];
        slot.serial = slot.serial.wrapping_add(1);
        (u64::from(slot.serial) << SERIAL_SHIFT | u64::from(index), &mut slot.packet)
    }

    /// Ends a handle. The packet keeps its content until the next [`Packets::acquire`].
    pub(crate) fn release(&mut self, handle: PacketHandle) -> Result<&mut Packet, Error> {
        let (index, serial) = (handle as u32, (handle >> SERIAL_SHIFT) as u32);
        match self.slots.get_mut(index as usize) {
            Some(slot) if slot.serial == serial && serial % 2 == 1 => {
                slot.serial = serial.wrapping_add(1);
                self.free.push(index);
                Ok(&mut slot.packet)
            }
            _ => Err(Error::StalePacket(handle)),
        }
    }
}
