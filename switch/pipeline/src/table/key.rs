//! Keys: what a packet is looked up by, and what an entry matches.

use crate::bits;
use crate::control::MatchKind;
use crate::program::{Place, Slot};

/// A field of a table's key.
#[derive(Debug, Clone)]
pub(crate) struct KeyField {
    pub(crate) name: String,
    pub(crate) kind: MatchKind,
    pub(crate) place: Place,
    /// Applied to the field before it is matched.
    pub(crate) mask: Option<Vec<u64>>,
}

impl KeyField {
    pub(crate) fn bits(&self) -> u32 {
        self.place.kind.bits()
    }
}

/// One limb of the key that a packet is looked up by.
#[derive(Debug)]
pub(crate) struct KeyPart {
    slot: Slot,
    mask: u64,
}

impl KeyPart {
    #[inline]
    pub(crate) fn read(&self, slots: &[u64]) -> u64 {
        slots[usize::from(self.slot)] & self.mask
    }
}

/// The limbs of all fields, in the order of the fields.
pub(crate) fn parts(fields: &[KeyField]) -> Vec<KeyPart> {
    let mut parts = Vec::new();
    for field in fields {
        let mask = match &field.mask {
            Some(mask) => mask.clone(),
            None => bits::ones(field.bits()),
        };
        for (slot, mask) in field.place.slots().zip(mask) {
            parts.push(KeyPart { slot: slot as Slot, mask });
        }
    }
    parts
}

/// What an entry matches. Equal entries have equal keys: bits that do not count are 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    /// One for every field.
    pub(crate) fields: Vec<FieldMatch>,
    /// Larger wins; 0 in tables without priorities.
    pub(crate) priority: i32,
}

/// What an entry matches in one field.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum FieldMatch {
    Exact(Vec<u64>),
    Lpm { value: Vec<u64>, prefix_length: u32 },
    Ternary { value: Vec<u64>, mask: Vec<u64> },
    Range { low: Vec<u64>, high: Vec<u64> },
}

impl FieldMatch {
    /// The value it is looked up by: of a range, nothing.
    fn value(&self) -> &[u64] {
        match self {
            FieldMatch::Exact(value)
            | FieldMatch::Lpm { value, .. }
            | FieldMatch::Ternary { value, .. } => value,
            FieldMatch::Range { low, .. } => low,
        }
    }
}

impl Key {
    /// The limbs of all fields' values.
    pub(crate) fn values(&self) -> Vec<u64> {
        self.fields.iter().flat_map(|field| field.value().iter().copied()).collect()
    }

    /// The length of the prefix, if there is a prefix field.
    pub(crate) fn prefix_length(&self) -> Option<u32> {
        self.fields.iter().find_map(|field| match field {
            FieldMatch::Lpm { prefix_length, .. } => Some(*prefix_length),
            _ => None,
        })
    }
}
