//! Ternary and range matches: a list in the order of priority; the first match wins.

use super::{FieldMatch, Key, KeyField};
use crate::bits;
use rustc_hash::FxHashMap;

/// The index of a table with ternary or range fields.
#[derive(Debug)]
pub(crate) struct Ordered {
    /// Bits and limbs of every field.
    fields: Vec<(u32, usize)>,
    rows: Vec<Row>,
    entries: FxHashMap<Key, u32>,
}

/// What an entry demands of a key.
#[derive(Debug)]
struct Row {
    priority: i32,
    entry: u32,
    /// Value and mask of every limb; the mask of range fields is 0.
    masked: Vec<(u64, u64)>,
    ranges: Vec<Range>,
}

/// The bounds of a range field.
#[derive(Debug)]
struct Range {
    /// The first of its limbs in the key.
    offset: usize,
    low: Vec<u64>,
    high: Vec<u64>,
}

impl Range {
    fn contains(&self, key: &[u64]) -> bool {
        let value = &key[self.offset..self.offset + self.low.len()];
        // The most significant limb is the last.
        self.low.iter().rev().le(value.iter().rev())
            && value.iter().rev().le(self.high.iter().rev())
    }
}

impl Row {
    fn matches(&self, key: &[u64]) -> bool {
        self.masked.iter().zip(key).all(|(&(value, mask), limb)| limb & mask == value)
            && self.ranges.iter().all(|range| range.contains(key))
    }
}

impl Ordered {
    pub(crate) fn new(fields: &[KeyField]) -> Ordered {
        Ordered {
            fields: fields.iter().map(|field| (field.bits(), field.place.limbs())).collect(),
            rows: Vec::new(),
            entries: FxHashMap::default(),
        }
    }

    /// The matching entry of the highest priority; the oldest of several.
    pub(crate) fn get(&self, key: &[u64]) -> Option<u32> {
        self.rows.iter().find(|row| row.matches(key)).map(|row| row.entry)
    }

    /// The entry with exactly this key and priority.
    pub(crate) fn find(&self, key: &Key) -> Option<u32> {
        self.entries.get(key).copied()
    }

    pub(crate) fn insert(&mut self, key: &Key, entry: u32) {
        let position = self.rows.partition_point(|row| row.priority >= key.priority);
        let row = self.row(key, entry);
        self.rows.insert(position, row);
        self.entries.insert(key.clone(), entry);
    }

    pub(crate) fn remove(&mut self, key: &Key) {
        if let Some(entry) = self.entries.remove(key) {
            self.rows.retain(|row| row.entry != entry);
        }
    }

    fn row(&self, key: &Key, entry: u32) -> Row {
        let mut masked = Vec::new();
        let mut ranges = Vec::new();
        for (field, &(bits, limbs)) in key.fields.iter().zip(&self.fields) {
            match field {
                FieldMatch::Exact(value) => {
                    masked.extend(value.iter().copied().zip(bits::ones(bits)));
                }
                FieldMatch::Lpm { value, prefix_length } => {
                    let mask = bits::prefix_mask(bits, *prefix_length);
                    masked.extend(value.iter().copied().zip(mask));
                }
                FieldMatch::Ternary { value, mask } => {
                    masked.extend(value.iter().copied().zip(mask.iter().copied()));
                }
                FieldMatch::Range { low, high } => {
                    ranges.push(Range {
                        offset: masked.len(),
                        low: low.clone(),
                        high: high.clone(),
                    });
                    masked.extend(std::iter::repeat_n((0, 0), limbs));
                }
            }
        }
        Row { priority: key.priority, entry, masked, ranges }
    }
}
