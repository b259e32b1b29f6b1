//! Ternary and range matches: tuple space search (Srinivasan, Suri and Varghese 1999). Entries
//! with the same mask are a tuple; the tuples are tried from that with the highest priority
//! until no other can win. What is left of a packet's key under a mask is looked up in one hash
//! table for all tuples. Most tuples have no entry for a packet, which a Bloom filter before the
//! table tells.
//!
//! A lookup takes time for each mask, an entry's insertion and removal do not.

use super::filter::Filter;
use super::turns::{Turn, Turns};
use crate::table::field::KeyField;
use crate::table::key::{self, FieldMatch, Key};
use crate::table::packing::Packing;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::BTreeMap;
use std::{iter, mem};

/// The index of a table with ternary or range fields.
#[derive(Debug)]
pub(crate) struct Ternary {
    packing: Packing,
    /// The widths of the fields and where they are, for ranges.
    fields: Vec<KeyField>,
    /// The tuples by their masks; none is empty.
    tuples: FxHashMap<Box<[u64]>, Tuple>,
    /// How many tuples there have been.
    tuple_count: u64,
    turns: Turns,
    /// Entries by the hash of tuple and value.
    rows: FxHashMap<u64, Rows>,
    /// The hashes in `rows`, and some that were there.
    filter: Filter,
    /// The values of all entries, one after the other.
    values: Vec<u64>,
    /// Space for the key of a packet.
    scratch: Vec<u64>,
}

/// The entries with one mask.
#[derive(Debug)]
struct Tuple {
    number: u64,
    /// How many entries have each priority.
    priorities: BTreeMap<i32, usize>,
}

impl Tuple {
    fn turn(&self) -> Option<Turn> {
        let (&highest, _) = self.priorities.last_key_value()?;
        Some(Turn::new(highest, self.number))
    }
}

/// An entry. Of several that match, the one of the highest rank wins.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    priority: i32,
    entry: u32,
    tuple: u64,
    /// What the mask does not say.
    ranges: Box<[Range]>,
}

/// Entries with the same hash.
#[derive(Debug)]
struct Rows {
    /// That of the highest rank: side by side with the hash, as most have no others.
    first: Row,
    /// By descending rank.
    others: Vec<Row>,
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

impl Rows {
    fn insert(&mut self, mut row: Row) {
        if row.rank() > self.first.rank() {
            mem::swap(&mut row, &mut self.first);
        }
        let place = self.others.partition_point(|known| known.rank() > row.rank());
        self.others.insert(place, row);
    }

    /// Removes an entry if another one is left.
    fn remove(&mut self, entry: u32) -> bool {
        if self.first.entry != entry {
            self.others.retain(|row| row.entry != entry);
        } else if self.others.is_empty() {
            return false;
        } else {
            self.first = self.others.remove(0);
        }
        true
    }
}

impl Ternary {
    pub(crate) fn new(fields: &[KeyField]) -> Ternary {
        let packing = Packing::new(fields);
        Ternary {
            fields: fields.to_vec(),
            tuples: FxHashMap::default(),
            tuple_count: 0,
            turns: Turns::new(packing.words()),
            rows: FxHashMap::default(),
            filter: Filter::new([].into_iter()),
            values: Vec::new(),
            scratch: vec![0; packing.words()],
            packing,
        }
    }

    /// The matching entry of the highest priority.
    #[inline]
    pub(crate) fn get(&mut self, slots: &[u64]) -> Option<u32> {
        match self.rows.is_empty() {
            true => None,
            false => self.get_of_some(slots),
        }
    }

    #[inline(never)]
    fn get_of_some(&mut self, slots: &[u64]) -> Option<u32> {
        self.packing.pack(slots, &mut self.scratch);
        // Most keys are of a width that the compiler knows here.
        match self.scratch[..] {
            [one] => self.search(&[one], slots),
            [one, two] => self.search(&[one, two], slots),
            _ => self.search(&self.scratch[..], slots),
        }
    }

    #[inline(always)]
    fn search(&self, key: &(impl AsRef<[u64]> + ?Sized), slots: &[u64]) -> Option<u32> {
        let key = key.as_ref();
        let mut best: Option<&Row> = None;
        for (turn, mask) in self.turns.iter(key.len()) {
            if best.is_some_and(|best| turn.highest() < best.priority) {
                break;
            }
            let hash = hash(turn.number, key, mask);
            if !self.filter.may_contain(hash) {
                continue;
            }
            let Some(rows) = self.rows.get(&hash) else { continue };
            let rows = iter::once(&rows.first).chain(&rows.others);
            let mut better =
                rows.take_while(|row| best.is_none_or(|best| row.rank() > best.rank()));
            let found = better.find(|row| {
                row.tuple == turn.number
                    && self.has_value(row.entry, key, mask)
                    && row.matches(&self.fields, slots)
            });
            best = found.or(best);
        }
        best.map(|row| row.entry)
    }

    /// Whether a key is an entry's value under the mask of it.
    #[inline]
    fn has_value(&self, entry: u32, key: &[u64], mask: &[u64]) -> bool {
        let value = &self.values[entry as usize * key.len()..][..key.len()];
        key.iter().zip(mask).zip(value).all(|((key, mask), value)| key & mask == *value)
    }

    /// The entry with exactly this key and priority.
    pub(crate) fn find(&self, key: &Key) -> Option<u32> {
        let mask = key.mask(&self.packing);
        let tuple = self.tuples.get(&mask[..])?.number;
        let (value, ranges) = (key.value(&self.packing), ranges(key));
        let rows = self.rows.get(&hash(tuple, &value, &mask))?;
        let found = iter::once(&rows.first).chain(&rows.others).find(|row| {
            row.tuple == tuple
                && row.priority == key.priority
                && row.ranges == ranges
                && self.has_value(row.entry, &value, &mask)
        });
        found.map(|row| row.entry)
    }

    pub(crate) fn insert(&mut self, key: &Key, entry: u32) {
        let (mask, value) = (key.mask(&self.packing), key.value(&self.packing));
        let tuple = self.count_in(&mask, key.priority);
        let row = Row { priority: key.priority, entry, tuple, ranges: ranges(key) };
        let hash = hash(tuple, &value, &mask);
        let start = entry as usize * value.len();
        self.values.resize(self.values.len().max(start + value.len()), 0);
        self.values[start..start + value.len()].copy_from_slice(&value);
        match self.rows.entry(hash) {
            Entry::Vacant(vacant) => {
                vacant.insert(Rows { first: row, others: Vec::new() });
            }
            Entry::Occupied(rows) => rows.into_mut().insert(row),
        }
        if !self.filter.add(hash) {
            self.filter = Filter::new(self.rows.keys().copied());
        }
    }

    pub(crate) fn remove(&mut self, key: &Key, entry: u32) {
        let (mask, value) = (key.mask(&self.packing), key.value(&self.packing));
        let Some(tuple) = self.count_out(&mask, key.priority) else { return };
        let hash = hash(tuple, &value, &mask);
        if let Entry::Occupied(mut rows) = self.rows.entry(hash) {
            if !rows.get_mut().remove(entry) {
                rows.remove();
            }
        }
    }

    /// Counts an entry of a mask and a priority; returns the number of its tuple.
    fn count_in(&mut self, mask: &[u64], priority: i32) -> u64 {
        let tuple = self.tuples.entry(mask.into()).or_insert_with(|| {
            self.tuple_count += 1;
            Tuple { number: self.tuple_count, priorities: BTreeMap::new() }
        });
        let before = tuple.turn();
        *tuple.priorities.entry(priority).or_default() += 1;
        let (number, after) = (tuple.number, tuple.turn());
        self.change_turn(before, after, mask);
        number
    }

    /// The opposite of [`Ternary::count_in`]; None if there is no such tuple.
    fn count_out(&mut self, mask: &[u64], priority: i32) -> Option<u64> {
        let tuple = self.tuples.get_mut(mask)?;
        let before = tuple.turn();
        let count = tuple.priorities.get_mut(&priority)?;
        *count -= 1;
        if *count == 0 {
            tuple.priorities.remove(&priority);
        }
        let (number, after) = (tuple.number, tuple.turn());
        if after.is_none() {
            self.tuples.remove(mask);
        }
        self.change_turn(before, after, mask);
        Some(number)
    }

    fn change_turn(&mut self, before: Option<Turn>, after: Option<Turn>, mask: &[u64]) {
        if before != after {
            before.into_iter().for_each(|turn| self.turns.remove(turn));
            after.into_iter().for_each(|turn| self.turns.insert(turn, mask));
        }
    }
}

/// The hash of what a tuple leaves of a key: for each word a product of which both halves count.
#[inline(always)]
fn hash(tuple: u64, key: &[u64], mask: &[u64]) -> u64 {
    /// 2^64 divided by the golden ratio.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let words = key.iter().zip(mask).map(|(key, mask)| key & mask);
    words.fold(tuple.wrapping_mul(FACTOR), |state, word| {
        let product = u128::from(state ^ word) * u128::from(FACTOR);
        product as u64 ^ (product >> u64::BITS) as u64
    })
}

/// The ranges that are not just the values under a mask.
fn ranges(key: &Key) -> Box<[Range]> {
    let ranges = key.fields.iter().enumerate().filter_map(|(field, matched)| match matched {
        FieldMatch::Range { low, high } if !key::is_prefix(low, high) => {
            Some(Range { field, low: low.clone(), high: high.clone() })
        }
        _ => None,
    });
    ranges.collect()
}
