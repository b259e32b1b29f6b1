//! A hash table from keys to entries. Only the control plane inserts, so the hash need not resist
//! hostile packets.

use rustc_hash::FxHashMap;

/// Keys of one limb are kept without indirection.
#[derive(Debug)]
pub(crate) enum KeyMap {
    Narrow(FxHashMap<u64, u32>),
    Wide(FxHashMap<Box<[u64]>, u32>),
}

impl KeyMap {
    /// A map for keys of so many limbs.
    pub(crate) fn new(limbs: usize) -> KeyMap {
        match limbs {
            1 => KeyMap::Narrow(FxHashMap::default()),
            _ => KeyMap::Wide(FxHashMap::default()),
        }
    }

    #[inline]
    pub(crate) fn get(&self, key: &[u64]) -> Option<u32> {
        match self {
            KeyMap::Narrow(map) => map.get(&key[0]).copied(),
            KeyMap::Wide(map) => map.get(key).copied(),
        }
    }

    pub(crate) fn insert(&mut self, key: Vec<u64>, entry: u32) {
        match self {
            KeyMap::Narrow(map) => map.insert(key[0], entry),
            KeyMap::Wide(map) => map.insert(key.into_boxed_slice(), entry),
        };
    }

    pub(crate) fn remove(&mut self, key: &[u64]) {
        match self {
            KeyMap::Narrow(map) => map.remove(&key[0]),
            KeyMap::Wide(map) => map.remove(key),
        };
    }

    pub(crate) fn is_empty(&self) -> bool {
        match self {
            KeyMap::Narrow(map) => map.is_empty(),
            KeyMap::Wide(map) => map.is_empty(),
        }
    }
}
