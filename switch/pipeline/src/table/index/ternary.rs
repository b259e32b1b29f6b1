//! Ternary and range matches: tuple space search (Srinivasan, Suri and Varghese 1999). Entries
//! with the same mask share a hash table; the tables are tried from that with the highest
//! priority until no other can win.

use super::key_map::KeyMap;
use crate::table::field::KeyField;
use crate::table::key::{self, FieldMatch, Key};
use crate::table::packing::Packing;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The index of a table with ternary or range fields.
#[derive(Debug)]
pub(crate) struct Ternary {
    packing: Packing,
    /// The widths of the fields and where they are, for ranges.
    fields: Vec<KeyField>,
    /// By the highest priority of their entries, highest first; none is empty.
    tuples: Vec<Tuple>,
    /// Space for the key of a packet, and for what a mask leaves of it.
    scratch: [Vec<u64>; 2],
}

/// The entries with one mask.
#[derive(Debug)]
struct Tuple {
    mask: Vec<u64>,
    rows: KeyMap<Vec<Row>>,
    /// How many entries have each priority.
    priorities: BTreeMap<i32, usize>,
    /// The highest of them.
    highest: i32,
}

/// An entry. Of several that match, the one of the highest rank wins.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    priority: i32,
    entry: u32,
    /// What the mask does not say.
    ranges: Vec<Range>,
}

/// The bounds of a range field.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Range {
    field: usize,
    low: Vec<u64>,
    high: Vec<u64>,
}

impl Range {
    fn contains(&self, field: &KeyField, slots: &[u64]) -> bool {
        let limbs = &slots[field.place.slots()];
        let is_valid = field.valid.is_none_or(|valid| slots[usize::from(valid)] != 0);
        let limb = |index: usize| match &field.mask {
            _ if !is_valid => 0,
            Some(mask) => limbs[index] & mask[index],
            None => limbs[index],
        };
        let value = || (0..limbs.len()).rev().map(limb);
        // The most significant limb is the last.
        self.low.iter().rev().copied().le(value()) && value().le(self.high.iter().rev().copied())
    }
}

impl Row {
    /// As in BMv2, the entry of the lowest number wins among those of the same priority.
    fn rank(&self) -> (i32, Reverse<u32>) {
        (self.priority, Reverse(self.entry))
    }

    fn matches(&self, fields: &[KeyField], slots: &[u64]) -> bool {
        self.ranges.iter().all(|range| range.contains(&fields[range.field], slots))
    }
}

impl Ternary {
    pub(crate) fn new(fields: &[KeyField]) -> Ternary {
        let packing = Packing::new(fields);
        let scratch = [vec![0; packing.words()], vec![0; packing.words()]];
        Ternary { packing, fields: fields.to_vec(), tuples: Vec::new(), scratch }
    }

    /// The matching entry of the highest priority.
    pub(crate) fn get(&mut self, slots: &[u64]) -> Option<u32> {
        let [key, masked] = &mut self.scratch;
        self.packing.pack(slots, key);
        let mut best: Option<&Row> = None;
        for tuple in &self.tuples {
            if best.is_some_and(|best| tuple.highest < best.priority) {
                break;
            }
            for ((masked, key), mask) in masked.iter_mut().zip(&*key).zip(&tuple.mask) {
                *masked = key & mask;
            }
            let Some(rows) = tuple.rows.get(masked) else { continue };
            // The highest rank comes first.
            if let Some(row) = rows.iter().find(|row| row.matches(&self.fields, slots)) {
                if best.is_none_or(|best| row.rank() > best.rank()) {
                    best = Some(row);
                }
            }
        }
        best.map(|row| row.entry)
    }

    /// The entry with exactly this key and priority.
    pub(crate) fn find(&self, key: &Key) -> Option<u32> {
        let tuple = &self.tuples[self.position(&key.mask(&self.packing))?];
        let ranges = ranges(key);
        let rows = tuple.rows.get(&key.value(&self.packing))?;
        let mut rows = rows.iter().filter(|row| row.priority == key.priority);
        rows.find(|row| row.ranges == ranges).map(|row| row.entry)
    }

    pub(crate) fn insert(&mut self, key: &Key, entry: u32) {
        let mask = key.mask(&self.packing);
        let mut tuple = match self.position(&mask) {
            Some(position) => self.tuples.remove(position),
            None => {
                let rows = KeyMap::new(mask.len());
                Tuple { mask, rows, priorities: BTreeMap::new(), highest: i32::MIN }
            }
        };
        let row = Row { priority: key.priority, entry, ranges: ranges(key) };
        let value = key.value(&self.packing);
        match tuple.rows.get_mut(&value) {
            Some(rows) => {
                let place = rows.partition_point(|known| known.rank() > row.rank());
                rows.insert(place, row);
            }
            None => tuple.rows.insert(&value, vec![row]),
        }
        *tuple.priorities.entry(key.priority).or_default() += 1;
        self.add(tuple);
    }

    pub(crate) fn remove(&mut self, key: &Key, entry: u32) {
        let Some(position) = self.position(&key.mask(&self.packing)) else { return };
        let mut tuple = self.tuples.remove(position);
        let value = key.value(&self.packing);
        if let Some(rows) = tuple.rows.get_mut(&value) {
            rows.retain(|row| row.entry != entry);
            if rows.is_empty() {
                tuple.rows.remove(&value);
            }
        }
        if let Some(count) = tuple.priorities.get_mut(&key.priority) {
            *count -= 1;
            if *count == 0 {
                tuple.priorities.remove(&key.priority);
            }
        }
        if !tuple.rows.is_empty() {
            self.add(tuple);
        }
    }

    fn position(&self, mask: &[u64]) -> Option<usize> {
        self.tuples.iter().position(|tuple| tuple.mask == mask)
    }

    fn add(&mut self, mut tuple: Tuple) {
        tuple.highest = tuple.priorities.keys().next_back().copied().unwrap_or(i32::MIN);
        let position = self.tuples.partition_point(|known| known.highest >= tuple.highest);
        self.tuples.insert(position, tuple);
    }
}

/// The ranges that are not just the values under a mask.
fn ranges(key: &Key) -> Vec<Range> {
    let ranges = key.fields.iter().enumerate().filter_map(|(field, matched)| match matched {
        FieldMatch::Range { low, high } if !key::is_prefix(low, high) => {
            Some(Range { field, low: low.clone(), high: high.clone() })
        }
        _ => None,
    });
    ranges.collect()
}
