//! Finds entries by key, in the way that suits the kinds of the key's fields.

mod bucket;
mod exact;
mod filter;
mod key_map;
mod lpm;
mod prefix_trie;
mod ternary;
mod trie;
mod turns;

use super::field::KeyField;
use super::key::Key;
use exact::Exact;
use lpm::Lpm;
use ternary::Ternary;

/// The numbers of entries by their keys.
#[derive(Debug)]
pub(crate) enum Index {
    Exact(Exact),
    Lpm(Lpm),
    Ternary(Ternary),
}

impl Index {
    /// An empty index for keys of these fields.
    pub(crate) fn new(fields: &[KeyField]) -> Index {
        if fields.iter().any(|field| field.kind.needs_priority()) {
            Index::Ternary(Ternary::new(fields))
        } else if let Some(lpm) = Lpm::new(fields) {
            Index::Lpm(lpm)
        } else {
            Index::Exact(Exact::new(fields))
        }
    }

    /// Whether entries have priorities.
    pub(crate) fn needs_priority(&self) -> bool {
        matches!(self, Index::Ternary(_))
    }

    /// The entry that wins for a packet.
    #[inline]
    pub(crate) fn get(&mut self, slots: &[u64]) -> Option<u32> {
        match self {
            Index::Exact(exact) => exact.get(slots),
            Index::Lpm(lpm) => lpm.get(slots),
            Index::Ternary(ternary) => ternary.get(slots),
        }
    }

    /// The entry with this key.
    pub(crate) fn find(&self, key: &Key) -> Option<u32> {
        match self {
            Index::Exact(exact) => exact.find(key),
            Index::Lpm(lpm) => lpm.find(key),
            Index::Ternary(ternary) => ternary.find(key),
        }
    }

    /// Adds an entry whose key is not there.
    pub(crate) fn insert(&mut self, key: &Key, entry: u32) {
        match self {
            Index::Exact(exact) => exact.insert(key, entry),
            Index::Lpm(lpm) => lpm.insert(key, entry),
            Index::Ternary(ternary) => ternary.insert(key, entry),
        }
    }

    /// Removes an entry by its key.
    pub(crate) fn remove(&mut self, key: &Key, entry: u32) {
        match self {
            Index::Exact(exact) => exact.remove(key),
            Index::Lpm(lpm) => lpm.remove(key, entry),
            Index::Ternary(ternary) => ternary.remove(key, entry),
        }
    }
}
