//! The field of variable length (varbit) of a header.
//!
//! Its value is a number like that of other fields, as in BMv2: it stands right-aligned in slots
//! for its greatest length. Its length is a multiple of eight bits; its place in the header need
//! not be.

use super::place::{Operand, Slot};
use super::wire::{bits_at, ExtractPlan};
use crate::numbers::bits::{low_mask, LIMB_BITS};

/// The field of variable length of a header.
#[derive(Debug)]
pub(crate) struct VariableField {
    /// Its present length in bits.
    pub(crate) length: Slot,
    value: Operand,
    /// Where it begins, in bits from the start of the header.
    offset_bits: usize,
    /// Reads the fields behind it, if it is empty.
    tail: ExtractPlan,
}

impl VariableField {
    /// The field between those in front of it and those behind.
    pub(crate) fn new(
        value: Operand,
        length: Slot,
        in_front: &[Operand],
        behind: &[Operand],
    ) -> VariableField {
        let offset_bits = in_front.iter().map(|field| field.kind.bits()).sum();
        let tail = ExtractPlan::new(behind, offset_bits);
        VariableField { length, value, offset_bits: offset_bits as usize, tail }
    }

    /// Its present length.
    #[inline]
    pub(crate) fn bytes(&self, slots: &[u64]) -> usize {
        slots[usize::from(self.length)] as usize / 8
    }

    /// Its greatest length.
    pub(crate) fn max_bytes(&self) -> usize {
        self.value.kind.bits() as usize / 8
    }

    /// Reads the field, `bytes` bytes long, and those behind it from a header that starts at
    /// `frame[0]`.
    pub(crate) fn extract(&self, frame: &[u8], bytes: usize, slots: &mut [u64]) {
        slots[usize::from(self.length)] = bytes as u64 * 8;
        let mut left = bytes * 8;
        for slot in self.value.slots() {
            let bits = left.min(LIMB_BITS as usize);
            left -= bits;
            slots[slot] = match bits {
                0 => 0,
                _ => bits_at(frame, (self.offset_bits + left) as u32, bits as u32),
            };
        }
        self.tail.run(&frame[bytes..], slots);
    }

    /// Inserts the field into a header whose other fields are its first `fixed_bytes` bytes.
    pub(crate) fn insert(&self, frame: &mut [u8], fixed_bytes: usize, slots: &[u64]) {
        let bytes = self.bytes(slots);
        let (start, skip_bits) = (self.offset_bits / 8, self.offset_bits as u32 % 8);
        frame.copy_within(start..fixed_bytes, start + bytes);
        let byte = |index: usize| {
            let position = bytes - 1 - index;
            (slots[self.value.slots().start + position / 8] >> (position % 8 * 8)) as u8
        };
        if skip_bits == 0 {
            for index in 0..bytes {
                frame[start + index] = byte(index);
            }
        } else if bytes > 0 {
            // The byte at both ends was copied: its first bits belong in front, the others behind.
            let behind = low_mask(8 - skip_bits) as u8;
            frame[start] &= !behind;
            frame[start + bytes] &= behind;
            for index in 0..bytes {
                frame[start + index] |= byte(index) >> skip_bits;
                let rest = byte(index) << (8 - skip_bits);
                match index + 1 == bytes {
                    true => frame[start + bytes] |= rest,
                    false => frame[start + index + 1] = rest,
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "tests/variable_field.rs"]
mod tests;
