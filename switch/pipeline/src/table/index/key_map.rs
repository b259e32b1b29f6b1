//! Hash tables by packed keys. Only the control plane inserts, so the hash need not resist
//! hostile packets.

use crate::table::packing::double;
use rustc_hash::FxHashMap;

/// A hash table; keys of one or two words are kept without indirection.
#[derive(Debug)]
pub(crate) enum KeyMap<V> {
    Narrow(FxHashMap<u64, V>),
    Double(FxHashMap<u128, V>),
    Wide(FxHashMap<Box<[u64]>, V>),
}

impl<V> KeyMap<V> {
    /// A map for keys of so many words.
    pub(crate) fn new(words: usize) -> KeyMap<V> {
        match words {
            0 | 1 => KeyMap::Narrow(FxHashMap::default()),
            2 => KeyMap::Double(FxHashMap::default()),
            _ => KeyMap::Wide(FxHashMap::default()),
        }
    }

    #[inline]
    pub(crate) fn get(&self, key: &[u64]) -> Option<&V> {
        match self {
            KeyMap::Narrow(map) => map.get(&key[0]),
            KeyMap::Double(map) => map.get(&double(key)),
            KeyMap::Wide(map) => map.get(key),
        }
    }

    pub(crate) fn insert(&mut self, key: &[u64], value: V) {
        match self {
            KeyMap::Narrow(map) => map.insert(key[0], value),
            KeyMap::Double(map) => map.insert(double(key), value),
            KeyMap::Wide(map) => map.insert(key.into(), value),
        };
    }

    pub(crate) fn remove(&mut self, key: &[u64]) {
        match self {
            KeyMap::Narrow(map) => map.remove(&key[0]),
            KeyMap::Double(map) => map.remove(&double(key)),
            KeyMap::Wide(map) => map.remove(key),
        };
    }
}
