//! How a header's fields are read from a frame and written to it: 64 bits at a time.

use super::place::{Operand, Slot};
use crate::numbers::bits::{self, LIMB_BITS};

/// Readable bytes that must follow a header's last byte, so that every load can take 8 or 16.
pub(crate) const LOAD_PADDING: usize = 16;

/// A header's fields as loads of at most 64 bits.
#[derive(Debug, Default)]
pub(crate) struct ExtractPlan {
    loads: Vec<Load>,
}

/// Up to 64 bits of a field, into one slot.
#[derive(Debug)]
pub(crate) struct Load {
    slot: Slot,
    /// Of the first byte, from the start of the header.
    offset_bytes: u16,
    /// Bits of the first byte that belong to earlier fields.
    skip_bits: u8,
    bits: u8,
    signed: bool,
}

impl ExtractPlan {
    /// Plans the extraction of fields that follow each other without gaps.
    pub(crate) fn new(fields: &[Operand]) -> ExtractPlan {
        let mut loads = Vec::new();
        let mut start = 0;
        for &field in fields {
            let end = start + field.kind.bits();
            for limb in 0..field.limbs() {
                let low = end - limb as u32 * LIMB_BITS;
                let high = low.saturating_sub(LIMB_BITS).max(start);
                let signed = field.kind.is_signed();
                loads.push(Load::new(field.slot + limb as Slot, high, low - high, signed));
            }
            start = end;
        }
        ExtractPlan { loads }
    }

    /// Keeps the first `loads` loads and returns a plan of the others.
    pub(crate) fn split_off(&mut self, loads: usize) -> ExtractPlan {
        ExtractPlan { loads: self.loads.split_off(loads.min(self.loads.len())) }
    }

    /// Reads the fields from a header that starts at `frame[0]`, with [`LOAD_PADDING`] after it.
    #[inline]
    pub(crate) fn run(&self, frame: &[u8], slots: &mut [u64]) {
        for load in &self.loads {
            slots[usize::from(load.slot)] = load.run(frame);
        }
    }
}

impl Load {
    /// `bits` (1 to 64) bits that start `offset_bits` after the start of the frame.
    pub(crate) fn new(slot: Slot, offset_bits: u32, bits: u32, signed: bool) -> Load {
        Load {
            slot,
            offset_bytes: (offset_bits / 8) as u16,
            skip_bits: (offset_bits % 8) as u8,
            bits: bits as u8,
            signed,
        }
    }

    #[inline]
    pub(crate) fn run(&self, frame: &[u8]) -> u64 {
        let offset = usize::from(self.offset_bytes);
        let bits = u32::from(self.bits);
        let aligned = aligned(frame, offset, u32::from(self.skip_bits), bits);
        if self.signed {
            ((aligned as i64) >> (LIMB_BITS - bits)) as u64
        } else {
            aligned >> (LIMB_BITS - bits)
        }
    }
}

/// `bits` (1 to 64) bits that start `offset_bits` after the start of the frame.
pub(crate) fn bits_at(frame: &[u8], offset_bits: usize, bits: u32) -> u64 {
    aligned(frame, offset_bits / 8, (offset_bits % 8) as u32, bits) >> (LIMB_BITS - bits)
}

/// A word that begins with `bits` bits that follow `skip` (0 to 7) bits of a byte.
#[inline]
fn aligned(frame: &[u8], offset: usize, skip: u32, bits: u32) -> u64 {
    if skip + bits <= LIMB_BITS {
        word(frame, offset) << skip
    } else {
        word(frame, offset) << skip | word(frame, offset + 8) >> (LIMB_BITS - skip)
    }
}

#[inline]
fn word(frame: &[u8], offset: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&frame[offset..offset + 8]);
    u64::from_be_bytes(bytes)
}

/// A header's fields as stores of 8 bytes; the last one ends with the header and may overlap the
/// one before. A header of less than 8 bytes is one store, cut off.
#[derive(Debug, Default)]
pub(crate) struct EmitPlan {
    stores: Vec<Store>,
}

/// 8 bytes of a header.
#[derive(Debug)]
struct Store {
    offset_bytes: usize,
    length_bytes: usize,
    parts: Vec<Part>,
}

/// What a slot contributes to a store.
#[derive(Debug)]
struct Part {
    slot: Slot,
    /// Keeps the field's own bits: a negative value has more.
    mask: u64,
    /// Left if positive.
    shift: i8,
}

impl EmitPlan {
    /// Plans the emission of fields that follow each other without gaps, `bytes` bytes in all.
    pub(crate) fn new(fields: &[Operand], bytes: usize) -> EmitPlan {
        let mut offsets: Vec<usize> = (0..bytes).step_by(8).collect();
        if let (Some(last), true) = (offsets.last_mut(), bytes >= 8) {
            *last = bytes - 8;
        }
        let stores = offsets
            .into_iter()
            .map(|offset_bytes| Store {
                offset_bytes,
                length_bytes: bytes.min(8),
                parts: parts(fields, offset_bytes as u32 * 8),
            })
            .collect();
        EmitPlan { stores }
    }

    /// Writes the header to `frame`, which is exactly as long as the header.
    #[inline]
    pub(crate) fn run(&self, frame: &mut [u8], slots: &[u64]) {
        for store in &self.stores {
            let mut word = 0;
            for part in &store.parts {
                let value = slots[usize::from(part.slot)] & part.mask;
                word |= if part.shift >= 0 { value << part.shift } else { value >> -part.shift };
            }
            let bytes = word.to_be_bytes();
            let end = store.offset_bytes + store.length_bytes;
            if store.length_bytes == 8 {
                frame[store.offset_bytes..end].copy_from_slice(&bytes);
            } else {
                frame[store.offset_bytes..end].copy_from_slice(&bytes[..store.length_bytes]);
            }
        }
    }
}

/// What the fields contribute to the 64 bits that start at bit `window`.
fn parts(fields: &[Operand], window: u32) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut start = 0;
    for field in fields {
        let end = start + field.kind.bits();
        for limb in 0..field.limbs() {
            let low = end - limb as u32 * LIMB_BITS;
            let high = low.saturating_sub(LIMB_BITS).max(start);
            if high < window + LIMB_BITS && low > window {
                parts.push(Part {
                    slot: field.slot + limb as Slot,
                    mask: bits::low_mask(low - high),
                    shift: ((window + LIMB_BITS) as i64 - i64::from(low)) as i8,
                });
            }
        }
        start = end;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::place::Type;

    /// Fields of these types, one after the other from slot 0.
    fn fields(types: &[Type]) -> Vec<Operand> {
        let mut slot = 0;
        types
            .iter()
            .map(|&kind| {
                let field = Operand { slot, kind };
                slot += kind.limbs() as Slot;
                field
            })
            .collect()
    }

    fn round_trip(types: &[Type], header: &[u8]) -> Vec<u64> {
        let fields = fields(types);
        let mut slots = vec![0; 16];
        let mut frame = header.to_vec();
        frame.extend([0xee; LOAD_PADDING]);
        ExtractPlan::new(&fields).run(&frame, &mut slots);
        let mut emitted = vec![0; header.len()];
        EmitPlan::new(&fields, header.len()).run(&mut emitted, &slots);
        assert_eq!(emitted, header);
        slots
    }

    #[test]
    fn fields_are_read_where_they_lie_and_written_back() {
        use Type::Unsigned;
        let header: Vec<u8> = (0x11..0x11 + 20).collect();
        let types = [Unsigned(4), Unsigned(12), Unsigned(61), Unsigned(3), Unsigned(80)];
        let slots = round_trip(&types, &header);
        assert_eq!(slots[0], 0x1);
        assert_eq!(slots[1], 0x112);
        assert_eq!(slots[2], 0x1314_1516_1718_191a >> 3);
        assert_eq!(slots[3], 0x2);
        assert_eq!(slots[4], 0x1d1e_1f20_2122_2324);
        assert_eq!(slots[5], 0x1b1c);
    }

    #[test]
    fn a_field_may_lie_across_nine_bytes() {
        use Type::Unsigned;
        let header = [0xab, 1, 2, 3, 4, 5, 6, 7, 0xcd];
        let slots = round_trip(&[Unsigned(4), Unsigned(64), Unsigned(4)], &header);
        assert_eq!(slots[1], 0xb010_2030_4050_607c);
    }

    #[test]
    fn short_headers_are_written_to_the_byte() {
        use Type::Unsigned;
        for length in 1..8 {
            let header: Vec<u8> = (1..=length).collect();
            round_trip(&vec![Unsigned(8); header.len()], &header);
        }
        round_trip(&[], &[]);
    }

    #[test]
    fn negative_fields_are_extended_and_cut_again() {
        let slots =
            round_trip(&[Type::Signed(4), Type::Signed(70), Type::Unsigned(6)], &[0xff; 10]);
        assert_eq!(slots[..3], [u64::MAX; 3]);
    }
}
