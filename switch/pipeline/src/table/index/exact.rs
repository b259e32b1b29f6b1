//! Exact match: a hash table.

use super::key_map::KeyMap;
use crate::table::field::KeyField;
use crate::table::key::Key;
use crate::table::packing::Packing;

/// The index of a table with exact fields alone.
#[derive(Debug)]
pub(crate) struct Exact {
    packing: Packing,
    map: KeyMap<u32>,
    /// Space for the key of a packet.
    scratch: Vec<u64>,
}

impl Exact {
    pub(crate) fn new(fields: &[KeyField]) -> Exact {
        let packing = Packing::new(fields);
        let words = packing.words();
        Exact { packing, map: KeyMap::new(words), scratch: vec![0; words] }
    }

    #[inline]
    pub(crate) fn get(&mut self, slots: &[u64]) -> Option<u32> {
        match &self.map {
            KeyMap::Narrow(map) => map.get(&self.packing.pack_word(slots)).copied(),
            _ => self.get_wide(slots),
        }
    }

    #[inline(never)]
    fn get_wide(&mut self, slots: &[u64]) -> Option<u32> {
        if let KeyMap::Double(map) = &self.map {
            return map.get(&self.packing.pack_double(slots)).copied();
        }
        self.packing.pack(slots, &mut self.scratch);
        self.map.get(&self.scratch).copied()
    }

    pub(crate) fn find(&self, key: &Key) -> Option<u32> {
        self.map.get(&key.value(&self.packing)).copied()
    }

    pub(crate) fn insert(&mut self, key: &Key, entry: u32) {
        self.map.insert(&key.value(&self.packing), entry);
    }

    pub(crate) fn remove(&mut self, key: &Key) {
        self.map.remove(&key.value(&self.packing));
    }
}
