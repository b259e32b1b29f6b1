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
mod tests {
    use super::super::wire::{EmitPlan, LOAD_PADDING};
    use super::*;
    use crate::program::place::Type;

    /// A header of three fields, the middle one of variable length.
    fn round_trip(front_bits: u32, behind_bits: u32, variable_bytes: usize) {
        let place = |slot, bits| Operand { slot, kind: Type::Unsigned(bits) };
        let (front, behind) = (place(2, front_bits), place(8, behind_bits));
        let fixed_bytes = (front_bits + behind_bits) as usize / 8;
        let extract = ExtractPlan::new(&[front], 0);
        let field = VariableField::new(place(4, 200), 1, &[front], &[behind]);
        let emit = EmitPlan::new(&[front, behind], |_| true);

        let length = fixed_bytes + variable_bytes;
        let header: Vec<u8> = (0..length).map(|index| 0x9d ^ (index * 0x35) as u8).collect();
        let mut slots = vec![0; 16];
        let padded = [&header[..], &[0xee; LOAD_PADDING]].concat();
        extract.run(&padded, &mut slots);
        field.extract(&padded, variable_bytes, &mut slots);
        assert_eq!(slots[1], variable_bytes as u64 * 8);

        let mut emitted = vec![0; length + LOAD_PADDING];
        emit.run(&mut emitted, &slots);
        field.insert(&mut emitted[..length], fixed_bytes, &slots);
        assert_eq!(emitted[..length], header, "{front_bits} {behind_bits} {variable_bytes}");
    }

    #[test]
    fn a_header_is_written_as_it_was_read() {
        for variable_bytes in [0, 1, 2, 7, 8, 9, 16, 24, 25] {
            for front_bits in [1, 3, 4, 8, 13, 40, 64] {
                for bytes in [0, 1, 4] {
                    let padding = (8 - front_bits % 8) % 8 + bytes * 8;
                    if padding > 0 {
                        round_trip(front_bits, padding, variable_bytes);
                    }
                }
            }
        }
    }

    #[test]
    fn the_value_is_a_number() {
        let value = Operand { slot: 1, kind: Type::Unsigned(128) };
        let field = VariableField::new(value, 0, &[], &[]);
        let mut slots = [u64::MAX; 3];
        let mut frame = vec![1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
        frame.resize(10 + LOAD_PADDING, 0xee);
        field.extract(&frame, 10, &mut slots);
        assert_eq!(slots, [80, 0x0304_0506_0708_090a, 0x0102]);
        field.extract(&frame, 0, &mut slots);
        assert_eq!(slots, [0, 0, 0]);
    }
}
