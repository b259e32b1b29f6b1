//! How a header's fields are read from a frame and written to it: 64 bits at a time.

use super::place::{get, Operand, Slot};
use crate::numbers::bits::{self, LIMB_BITS};
use codegen::{Binary, Builder, Value};

/// Readable bytes that must follow a header's last byte, so that every load can take 8 or 16.
pub(crate) const LOAD_PADDING: usize = codegen::PADDING_BYTES;

/// A header's fields as loads of at most 64 bits, one for each slot from `start` on.
#[derive(Debug, Default)]
pub(crate) struct ExtractPlan {
    start: usize,
    loads: Vec<Load>,
    /// Which loads need [`Load::run_special`].
    special: Vec<usize>,
}

/// Up to 64 bits of a field, for one slot.
#[derive(Debug)]
struct Load {
    mask: u64,
    /// Of the first byte, from the start of the header.
    offset_bytes: u16,
    /// Bits of the first byte that belong to earlier fields.
    skip_bits: u8,
    bits: u8,
    /// The bits of a word that follow it, if it has bits of eight bytes at most.
    behind_bits: u8,
    signed: bool,
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
                let (low, high) = limb_bits(start, end, limb);
                loads.push(Load::new(high, low - high, field.kind.is_signed()));
            }
            start = end;
        }
        let special = (0..loads.len()).filter(|&load| loads[load].is_special()).collect();
        let start = fields.first().map_or(0, |field| usize::from(field.slot));
        ExtractPlan { start, loads, special }
    }

    /// Reads the fields from a header that starts at `frame[0]`, with [`LOAD_PADDING`] after it.
    #[inline]
    pub(crate) fn run(&self, frame: &[u8], slots: &mut [u64]) {
        let slots = &mut slots[self.start..self.start + self.loads.len()];
        for (slot, load) in slots.iter_mut().zip(&self.loads) {
            *slot = load.run(frame);
        }
        if !self.special.is_empty() {
            self.run_special(frame, slots);
        }
    }

    /// Machine code that does what [`ExtractPlan::run`] does.
    pub(crate) fn build(&self, header: codegen::Header, code: &mut Builder<'_>) {
        for (slot, load) in (self.start..).zip(&self.loads) {
            let value = load.build(header, code);
            code.store(slot, value);
        }
    }

    #[cold]
    #[inline(never)]
    fn run_special(&self, frame: &[u8], slots: &mut [u64]) {
        for &load in &self.special {
            slots[load] = self.loads[load].run_special(frame);
        }
    }
}

impl Load {
    /// `bits` (1 to 64) bits that start `offset_bits` after the start of the frame.
    fn new(offset_bits: u32, bits: u32, signed: bool) -> Load {
        let skip_bits = offset_bits % 8;
        Load {
            mask: bits::low_mask(bits),
            offset_bytes: (offset_bits / 8) as u16,
            skip_bits: skip_bits as u8,
            bits: bits as u8,
            behind_bits: LIMB_BITS.saturating_sub(skip_bits + bits) as u8,
            signed,
        }
    }

    /// It is signed, or has bits of nine bytes.
    fn is_special(&self) -> bool {
        self.signed || u32::from(self.skip_bits) + u32::from(self.bits) > LIMB_BITS
    }

    #[inline(always)]
    fn run(&self, frame: &[u8]) -> u64 {
        word(frame, self.offset_bytes.into()) >> (self.behind_bits % 64) & self.mask
    }

    /// Fields that lie in one of the header's words share it: words are read at whole multiples
    /// of eight bytes as far as possible.
    fn build(&self, header: codegen::Header, code: &mut Builder<'_>) -> Value {
        let (skip, bits) = (u32::from(self.skip_bits), u32::from(self.bits));
        let offset_bytes = usize::from(self.offset_bytes);
        let in_word = offset_bytes as u32 % 8 * 8 + skip;
        if in_word + bits <= LIMB_BITS {
            let word = code.read(header, offset_bytes / 8 * 8);
            return self.build_bits(word, LIMB_BITS - in_word - bits, code);
        }
        let first = code.read(header, offset_bytes);
        if skip + bits <= LIMB_BITS {
            return self.build_bits(first, LIMB_BITS - skip - bits, code);
        }
        let second = code.read(header, offset_bytes + 8);
        let first = code.shift_left(first, skip);
        let second = code.bits(second, LIMB_BITS - skip, skip);
        let aligned = code.binary(Binary::Or, first, second);
        self.build_bits(aligned, LIMB_BITS - bits, code)
    }

    fn build_bits(&self, word: Value, behind: u32, code: &mut Builder<'_>) -> Value {
        match self.signed {
            true => code.signed_bits(word, behind, self.bits.into()),
            false => code.bits(word, behind, self.bits.into()),
        }
    }

    fn run_special(&self, frame: &[u8]) -> u64 {
        let (skip, unused) = (u32::from(self.skip_bits), LIMB_BITS - u32::from(self.bits));
        let offset_bytes = usize::from(self.offset_bytes);
        let mut aligned = word(frame, offset_bytes) << skip;
        if skip > 0 {
            aligned |= word(frame, offset_bytes + 8) >> (LIMB_BITS - skip);
        }
        match self.signed {
            true => (aligned as i64 >> unused) as u64,
            false => aligned >> unused,
        }
    }
}

/// `bits` (1 to 64) bits that start `offset_bits` after the start of the frame, with
/// [`LOAD_PADDING`] after them.
pub(crate) fn bits_at(frame: &[u8], offset_bits: u32, bits: u32) -> u64 {
    Load::new(offset_bits, bits, false).run_special(frame)
}

/// Machine code that does what [`bits_at`] does, in a header of the bytes up to the last bit.
pub(crate) fn build_bits_at(
    header: codegen::Header,
    offset_bits: u32,
    bits: u32,
    code: &mut Builder<'_>,
) -> Value {
    Load::new(offset_bits, bits, false).build(header, code)
}

/// 64 bits of a frame.
#[inline(always)]
fn word(frame: &[u8], offset_bytes: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&frame[offset_bytes..offset_bytes + 8]);
    u64::from_be_bytes(bytes)
}

/// Where a limb of a field ends and begins that lies at the bits from `start` to `end`.
fn limb_bits(start: u32, end: u32, limb: usize) -> (u32, u32) {
    let low = end - limb as u32 * LIMB_BITS;
    (low, low.saturating_sub(LIMB_BITS).max(start))
}

/// Fields of a header as stores of 8 bytes. Bits of other fields, and of what follows the header,
/// stay as they are.
#[derive(Debug, Default)]
pub(crate) struct EmitPlan {
    stores: Vec<Store>,
}

/// 8 bytes from a place in a header on.
#[derive(Debug)]
struct Store {
    offset_bytes: usize,
    /// The bits that stay.
    kept: u64,
    parts: Vec<Part>,
}

/// What a slot contributes to a store.
#[derive(Debug, Clone, Copy)]
struct Part {
    slot: Slot,
    /// How far its bits are to be rotated to the left.
    rotation: u8,
    /// The bits of the slot that the store has.
    mask: u64,
}

impl EmitPlan {
    /// Plans the emission of some fields of a header whose fields follow each other without gaps:
    /// those whose positions `emitted` accepts.
    pub(crate) fn new(fields: &[Operand], emitted: impl Fn(usize) -> bool) -> EmitPlan {
        let mut limbs = Vec::new();
        let mut start = 0;
        for (position, field) in fields.iter().enumerate() {
            let end = start + field.kind.bits();
            for limb in (0..field.limbs()).rev().filter(|_| emitted(position)) {
                let (low, high) = limb_bits(start, end, limb);
                limbs.push(Limb { slot: field.slot + limb as Slot, high, low });
            }
            start = end;
        }
        let mut stores = Vec::new();
        let mut stored = 0;
        while let Some(next) = limbs.iter().find(|limb| limb.low > stored) {
            let offset_bits = next.high.max(stored) / 8 * 8;
            stored = offset_bits + LIMB_BITS;
            stores.push(Store::new(offset_bits, &limbs));
        }
        EmitPlan { stores }
    }

    /// Writes the fields to a header that starts at `frame[0]`, with [`LOAD_PADDING`] after it.
    #[inline]
    pub(crate) fn run(&self, frame: &mut [u8], slots: &[u64]) {
        for store in &self.stores {
            let mut stored = word(frame, store.offset_bytes) & store.kept;
            for part in &store.parts {
                stored |= (get(slots, part.slot) & part.mask).rotate_left(part.rotation.into());
            }
            let end = store.offset_bytes + 8;
            frame[store.offset_bytes..end].copy_from_slice(&stored.to_be_bytes());
        }
    }
}

impl EmitPlan {
    /// Machine code that does what [`EmitPlan::run`] does.
    pub(crate) fn build(&self, header: codegen::Header, code: &mut Builder<'_>) {
        for store in &self.stores {
            let word = code.read(header, store.offset_bytes);
            let mut stored = code.masked(word, store.kept);
            for part in &store.parts {
                let slot = code.load(part.slot.into());
                let bits = code.masked(slot, part.mask);
                let bits = code.rotate_left(bits, part.rotation.into());
                stored = code.binary(Binary::Or, stored, bits);
            }
            code.write(header, store.offset_bytes, stored);
        }
    }
}

/// A slot and the bits of the header where its value lies.
#[derive(Debug)]
struct Limb {
    slot: Slot,
    high: u32,
    low: u32,
}

impl Store {
    /// What these slots have of the 64 bits that start at a bit.
    fn new(offset_bits: u32, limbs: &[Limb]) -> Store {
        let end = offset_bits + LIMB_BITS;
        let inside = limbs.iter().filter(|limb| limb.high < end && limb.low > offset_bits);
        let part = |limb: &Limb| {
            let behind = limb.low.saturating_sub(end);
            let in_front = bits::low_mask(limb.low - limb.high.max(offset_bits));
            let rotation = end.wrapping_sub(limb.low) % LIMB_BITS;
            let mask = in_front & !bits::low_mask(behind);
            Part { slot: limb.slot, rotation: rotation as u8, mask }
        };
        let parts: Vec<Part> = inside.map(part).collect();
        let bits = |part: &Part| part.mask.rotate_left(part.rotation.into());
        Store {
            offset_bytes: offset_bits as usize / 8,
            kept: !parts.iter().map(bits).fold(0, |all, bits| all | bits),
            parts,
        }
    }
}

#[cfg(test)]
#[path = "tests/wire.rs"]
mod tests;
