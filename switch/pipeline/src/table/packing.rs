//! Keys of packets as few words: all fields side by side.

use super::field::KeyField;
use crate::numbers::bits::{self, LIMB_BITS};
use crate::program::Slot;

/// Where the fields of a key stand in the words of the packed key.
#[derive(Debug)]
pub(crate) struct Packing {
    parts: Vec<Part>,
    /// The widths of the fields.
    field_bits: Vec<u32>,
    words: usize,
}

/// A limb of a field.
#[derive(Debug, Clone, Copy)]
struct Part {
    slot: Slot,
    /// 0 if the limb counts as 0.
    valid: Option<Slot>,
    word: u16,
    /// Its distance from the low end of the word.
    shift: u8,
    /// Its high bits belong to the next word.
    spills: bool,
    mask: u64,
}

impl Part {
    /// The limb of a packet's field.
    #[inline]
    fn read(&self, slots: &[u64]) -> u64 {
        match self.valid {
            Some(valid) if slots[usize::from(valid)] == 0 => 0,
            _ => slots[usize::from(self.slot)] & self.mask,
        }
    }

    #[inline]
    fn add(&self, limb: u64, words: &mut [u64]) {
        let word = usize::from(self.word);
        words[word] |= limb << self.shift;
        if self.spills {
            words[word + 1] |= limb >> (LIMB_BITS - u32::from(self.shift));
        }
    }
}

impl Packing {
    /// The first field becomes the lowest bits of the lowest word.
    pub(crate) fn new(fields: &[KeyField]) -> Packing {
        Packing::with_lowest(fields, 0, 0)
    }

    /// The field at position `lowest` is below all others, and `padding` zeros are below it.
    pub(crate) fn with_lowest(fields: &[KeyField], lowest: usize, padding: u32) -> Packing {
        let mut end = padding + fields.get(lowest).map_or(0, KeyField::bits);
        let mut parts = Vec::new();
        for (position, field) in fields.iter().enumerate() {
            let mut start = padding;
            if position != lowest {
                start = end;
                end += field.bits();
            }
            add_parts(field, start, &mut parts);
        }
        let field_bits = fields.iter().map(KeyField::bits).collect();
        Packing { parts, field_bits, words: bits::limbs_for(end).max(1) }
    }

    /// How many words a packed key has.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// The key of a packet, in `words` words.
    #[inline]
    pub(crate) fn pack(&self, slots: &[u64], words: &mut [u64]) {
        words.fill(0);
        for part in &self.parts {
            part.add(part.read(slots), words);
        }
    }

    /// The key of a packet if it fits one word.
    #[inline]
    pub(crate) fn pack_word(&self, slots: &[u64]) -> u64 {
        let mut word = 0;
        for part in &self.parts {
            word |= part.read(slots) << part.shift;
        }
        word
    }

    /// The key of a packet if it fits two words.
    #[inline]
    pub(crate) fn pack_double(&self, slots: &[u64]) -> u128 {
        let mut words = 0;
        for part in &self.parts {
            let limb = u128::from(part.read(slots));
            words |= limb << (LIMB_BITS * u32::from(part.word) + u32::from(part.shift));
        }
        words
    }

    /// A key from its fields; each is asked for its limbs with its width.
    pub(crate) fn pack_fields(
        &self,
        fields: impl Iterator<Item = impl FnOnce(u32) -> Vec<u64>>,
    ) -> Vec<u64> {
        let mut words = vec![0; self.words];
        let limbs = fields.zip(&self.field_bits).flat_map(|(field, &bits)| field(bits));
        for (part, limb) in self.parts.iter().zip(limbs) {
            part.add(limb, &mut words);
        }
        words
    }
}

fn add_parts(field: &KeyField, start: u32, parts: &mut Vec<Part>) {
    let mask = field.mask.clone().unwrap_or_else(|| bits::ones(field.bits()));
    for ((index, slot), mask) in field.place.slots().enumerate().zip(mask) {
        let offset = start + index as u32 * LIMB_BITS;
        let width = (field.bits() - index as u32 * LIMB_BITS).min(LIMB_BITS);
        parts.push(Part {
            slot: slot as Slot,
            valid: field.valid,
            word: (offset / LIMB_BITS) as u16,
            shift: (offset % LIMB_BITS) as u8,
            spills: offset % LIMB_BITS + width > LIMB_BITS,
            mask,
        });
    }
}

/// Two words as one number.
pub(crate) fn double(words: &[u64]) -> u128 {
    let high = words.get(1).copied().unwrap_or(0);
    u128::from(high) << LIMB_BITS | u128::from(words[0])
}
