//! Keys: what a packet is looked up by, and what an entry matches.

use super::field::KeyField;
use super::packing::Packing;
use crate::numbers::bits;

/// What an entry matches. Equal entries have equal keys: bits that do not count are 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    /// One for every field.
    pub(crate) fields: Vec<FieldMatch>,
    /// Larger wins; 0 in tables without priorities.
    pub(crate) priority: i32,
}

/// What an entry matches in one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FieldMatch {
    Exact(Vec<u64>),
    Lpm { value: Vec<u64>, prefix_length: u32 },
    Ternary { value: Vec<u64>, mask: Vec<u64> },
    Range { low: Vec<u64>, high: Vec<u64> },
}

impl FieldMatch {
    /// The match without the bits that the mask of its field hides, as in BMv2.
    pub(crate) fn under_mask_of(mut self, field: &KeyField) -> FieldMatch {
        if let (
            Some(mask),
            FieldMatch::Exact(value)
            | FieldMatch::Lpm { value, .. }
            | FieldMatch::Ternary { value, .. },
        ) = (&field.mask, &mut self)
        {
            value.iter_mut().zip(mask).for_each(|(limb, mask)| *limb &= mask);
        }
        self
    }

    /// A value that matches, without the bits that do not count.
    pub(crate) fn value(&self, bits: u32) -> Vec<u64> {
        match self {
            FieldMatch::Exact(value)
            | FieldMatch::Lpm { value, .. }
            | FieldMatch::Ternary { value, .. } => value.clone(),
            FieldMatch::Range { low, .. } => {
                let mask = self.mask(bits);
                low.iter().zip(mask).map(|(limb, mask)| limb & mask).collect()
            }
        }
    }

    /// The bits that a value must share with [`FieldMatch::value`]. Ranges that are no prefixes have
    /// none: as parts of masks, they would make too many different ones.
    pub(crate) fn mask(&self, bits: u32) -> Vec<u64> {
        match self {
            FieldMatch::Exact(_) => bits::ones(bits),
            FieldMatch::Lpm { prefix_length, .. } => bits::prefix_mask(bits, *prefix_length),
            FieldMatch::Ternary { mask, .. } => mask.clone(),
            FieldMatch::Range { low, high } if is_prefix(low, high) => {
                let different: Vec<u64> = low.iter().zip(high).map(|(a, b)| a ^ b).collect();
                bits::prefix_mask(bits, bits - bits::bit_length(&different))
            }
            FieldMatch::Range { low, .. } => vec![0; low.len()],
        }
    }
}

impl Key {
    /// A key's value in the words of a packing; see [`FieldMatch::value`].
    pub(crate) fn value(&self, packing: &Packing) -> Vec<u64> {
        packing.pack_fields(self.fields.iter().map(|field| |bits| field.value(bits)))
    }

    /// The bits of the words that all keys that match have in common.
    pub(crate) fn mask(&self, packing: &Packing) -> Vec<u64> {
        packing.pack_fields(self.fields.iter().map(|field| |bits| field.mask(bits)))
    }

    /// The length of the prefix, if there is a prefix field.
    pub(crate) fn prefix_length(&self) -> Option<u32> {
        self.fields.iter().find_map(|field| match field {
            FieldMatch::Lpm { prefix_length, .. } => Some(*prefix_length),
            _ => None,
        })
    }
}

/// Whether a range holds all values that begin as its bounds do.
pub(super) fn is_prefix(low: &[u64], high: &[u64]) -> bool {
    // The bounds differ in their lowest bits alone, which are zeros in one and ones in the other.
    let different = |(low, high): (&u64, &u64)| low ^ high;
    let zeros = low.iter().zip(high).all(|(low, high)| low & (low ^ high) == 0);
    let mut below = true;
    let mut contiguous = true;
    for limb in low.iter().zip(high).map(different) {
        let ones = limb.trailing_ones();
        contiguous &= if below { ones + limb.leading_zeros() >= 64 } else { limb == 0 };
        below &= ones == 64;
    }
    zeros && contiguous
}
