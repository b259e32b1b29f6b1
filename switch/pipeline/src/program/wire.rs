//! How a header's fields are read from a frame and written to it: 64 bits at a time.

use super::place::{Operand, Slot};
use crate::numbers::bits::{self, LIMB_BITS};

/// Readable bytes that must follow a header's last byte, so that every load can take 8 or 16.
pub(crate) const LOAD_PADDING: usize = 16;

/// A header's fields as loads of at most 64 bits, one for each slot from `start` on.
#[derive(Debug, Default)]
pub(crate) struct ExtractPlan {
    start: usize,
    loads: Vec<Load>,
}

/// Up to 64 bits of a field, for one slot.
#[derive(Debug)]
struct Load {
    /// Of the first byte, from the start of the header.
    offset_bytes: u16,
    /// Bits of the first byte that belong to earlier fields.
    skip_bits: u8,
    bits: u8,
    /// It is signed, or has bits of nine bytes.
    special: bool,
    signed: bool,
    /// The bits of a word that follow it, if it has bits of eight bytes at most.
    behind_bits: u8,
    mask: u64,
}

impl ExtractPlan {
    /// Plans the extraction of fields that follow each other without gaps, in the slots and, from
    /// `offset_bits` on, in the header.
    pub(crate) fn new(fields: &[Operand], offset_bits: u32) -> ExtractPlan {
        let mut loads = Vec::new();
        let mut start = offset_bits;
        for field in fields {
            let end = start + field.kind.bits();
            for limb in 0..field.limbs() {
                let low = end - limb as u32 * LIMB_BITS;
                let high = low.saturating_sub(LIMB_BITS).max(start);
                loads.push(Load::new(high, low - high, field.kind.is_signed()));
            }
            start = end;
        }
        ExtractPlan { start: fields.first().map_or(0, |field| usize::from(field.slot)), loads }
    }

    /// Reads the fields from a header that starts at `frame[0]`, with [`LOAD_PADDING`] after it.
    #[inline]
    pub(crate) fn run(&self, frame: &[u8], slots: &mut [u64]) {
        for (slot, load) in slots[self.start..].iter_mut().zip(&self.loads) {
            *slot = load.run(frame);
        }
    }
}

impl Load {
    /// `bits` (1 to 64) bits that start `offset_bits` after the start of the frame.
    fn new(offset_bits: u32, bits: u32, signed: bool) -> Load {
        let skip_bits = offset_bits % 8;
        Load {
            offset_bytes: (offset_bits / 8) as u16,
            skip_bits: skip_bits as u8,
            bits: bits as u8,
            special: signed || skip_bits + bits > LIMB_BITS,
            signed,
            behind_bits: LIMB_BITS.saturating_sub(skip_bits + bits) as u8,
            mask: bits::low_mask(bits),
        }
    }

    #[inline(always)]
    fn run(&self, frame: &[u8]) -> u64 {
        let frame = &frame[usize::from(self.offset_bytes)..];
        match self.special {
            false => word(frame) >> (self.behind_bits % 64) & self.mask,
            true => self.run_special(frame),
        }
    }

    #[cold]
    #[inline(never)]
    fn run_special(&self, frame: &[u8]) -> u64 {
        let (skip, unused) = (u32::from(self.skip_bits), LIMB_BITS - u32::from(self.bits));
        let mut aligned = word(frame) << skip;
        if skip > 0 {
            aligned |= word(&frame[8..]) >> (LIMB_BITS - skip);
        }
        match self.signed {
            true => (aligned as i64 >> unused) as u64,
            false => aligned >> unused,
        }
    }
}

/// `bits` (1 to 64) bits that start `offset_bits` after the start of the frame, with
/// [`LOAD_PADDING`] after them.
#[inline]
pub(crate) fn bits_at(frame: &[u8], offset_bits: u32, bits: u32) -> u64 {
    Load::new(offset_bits, bits, false).run(frame)
}

/// The first 64 bits of a frame.
#[inline]
fn word(frame: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&frame[..8]);
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
    /// The first slot that contributes to it.
    start: usize,
    /// The contributions of the slots from there on.
    parts: Vec<Part>,
}

/// What a slot contributes to a store.
#[derive(Debug, Clone, Copy, Default)]
struct Part {
    /// The bits of the slot that the store has.
    mask: u64,
    /// How far they are to be rotated to the left.
    rotation: u8,
}

impl EmitPlan {
    /// Plans the emission of fields that follow each other without gaps, `bytes` bytes in all.
    pub(crate) fn new(fields: &[Operand], bytes: usize) -> EmitPlan {
        let mut offsets: Vec<usize> = (0..bytes).step_by(8).collect();
        if let (Some(last), true) = (offsets.last_mut(), bytes >= 8) {
            *last = bytes - 8;
        }
        let store = |offset_bytes| {
            let parts = parts(fields, offset_bytes as u32 * 8);
            let slots = || parts.iter().map(|&(slot, _)| usize::from(slot));
            let (start, end) = (slots().min().unwrap_or(0), slots().max().map_or(0, |max| max + 1));
            let mut store = Store {
                offset_bytes,
                length_bytes: bytes.min(8),
                start,
                parts: vec![Part::default(); end - start],
            };
            for (slot, part) in parts {
                store.parts[usize::from(slot) - start] = part;
            }
            store
        };
        EmitPlan { stores: offsets.into_iter().map(store).collect() }
    }

    /// Writes the header to `frame`, which is exactly as long as the header.
    #[inline]
    pub(crate) fn run(&self, frame: &mut [u8], slots: &[u64]) {
        for store in &self.stores {
            let mut word = 0;
            for (slot, part) in slots[store.start..].iter().zip(&store.parts) {
                word |= (slot & part.mask).rotate_left(part.rotation.into());
            }
            let bytes = word.to_be_bytes();
            let frame = &mut frame[store.offset_bytes..];
            match store.length_bytes {
                8 => frame[..8].copy_from_slice(&bytes),
                length => frame[..length].copy_from_slice(&bytes[..length]),
            }
        }
    }
}

/// What the fields contribute to the 64 bits that start at bit `window`, by slots.
fn parts(fields: &[Operand], window: u32) -> Vec<(Slot, Part)> {
    let mut parts = Vec::new();
    let mut start = 0;
    for field in fields {
        let end = start + field.kind.bits();
        for limb in 0..field.limbs() {
            let low = end - limb as u32 * LIMB_BITS;
            let high = low.saturating_sub(LIMB_BITS).max(start);
            if high < window + LIMB_BITS && low > window {
                let behind = low.saturating_sub(window + LIMB_BITS);
                let mask = bits::low_mask(low - high.max(window)) & !bits::low_mask(behind);
                let rotation = (window + LIMB_BITS).wrapping_sub(low) % LIMB_BITS;
                let part = Part { mask, rotation: rotation as u8 };
                parts.push((field.slot + limb as Slot, part));
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
        ExtractPlan::new(&fields, 0).run(&frame, &mut slots);
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
