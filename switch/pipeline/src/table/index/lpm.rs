//! Longest prefix match: packets find entries in a trie, the control plane in a hash table. Exact
//! fields of the key stand before the prefix.
//!
//! Keys of up to 32 bits are few nodes apart even in a trie that looks at all their bits, and need
//! not be compared with the prefix that is found; wider ones have a compressed trie.

use super::prefix_trie::PrefixTrie;
use super::trie::{Leaf, Trie};
use crate::numbers::bits::LIMB_BITS;
use crate::table::field::KeyField;
use crate::table::key::Key;
use crate::table::packing::Packing;
use crate::types::MatchKind;
use rustc_hash::FxHashMap;

/// The index of a table with one prefix field and any number of exact ones.
#[derive(Debug)]
pub(crate) struct Lpm {
    packing: Packing,
    /// Bits of the exact fields.
    exact_bits: u32,
    /// Bits of the prefix field.
    prefix_bits: u32,
    entries: FxHashMap<Prefix, u32>,
    search: Search,
    /// Space for the key of a packet.
    scratch: Vec<u64>,
}

/// How packets find prefixes.
#[derive(Debug)]
enum Search {
    Narrow(Trie),
    Wide(PrefixTrie),
}

/// The widest keys that are narrow.
const NARROW_BITS_MAX: u32 = 32;

/// Exact fields and prefix as one prefix, from the highest bit of the last word on; what follows it
/// is 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Prefix {
    value: Vec<u64>,
    length: u32,
}

impl Prefix {
    /// Takes its last bit away.
    fn shorten(&mut self) {
        self.length -= 1;
        let word = self.value.len() - 1 - (self.length / LIMB_BITS) as usize;
        self.value[word] &= !(1 << (LIMB_BITS - 1 - self.length % LIMB_BITS));
    }
}

impl Lpm {
    /// An empty index, if one of the fields is a prefix.
    pub(crate) fn new(fields: &[KeyField]) -> Option<Lpm> {
        let position = fields.iter().position(|field| field.kind == MatchKind::Lpm)?;
        let bits: u32 = fields.iter().map(KeyField::bits).sum();
        let prefix_bits = fields[position].bits();
        // The first bit of the key is the highest of the words.
        let padding = bits.next_multiple_of(LIMB_BITS) - bits;
        let packing = Packing::with_lowest(fields, position, padding);
        let search = match bits {
            ..=NARROW_BITS_MAX => Search::Narrow(Trie::new()),
            _ => Search::Wide(PrefixTrie::new(packing.words())),
        };
        Some(Lpm {
            exact_bits: bits - prefix_bits,
            prefix_bits,
            entries: FxHashMap::default(),
            search,
            scratch: vec![0; packing.words()],
            packing,
        })
    }

    /// The entry with the longest prefix of the packet's key.
    #[inline]
    pub(crate) fn get(&mut self, slots: &[u64]) -> Option<u32> {
        match &self.search {
            Search::Narrow(trie) => trie.get(self.packing.pack_word(slots)),
            Search::Wide(trie) => {
                self.packing.pack(slots, &mut self.scratch);
                trie.get(&self.scratch)
            }
        }
    }

    /// The entry with exactly this prefix.
    pub(crate) fn find(&self, key: &Key) -> Option<u32> {
        self.entries.get(&self.prefix(key)).copied()
    }

    pub(crate) fn insert(&mut self, key: &Key, entry: u32) {
        let prefix = self.prefix(key);
        match &mut self.search {
            Search::Narrow(trie) => trie.insert(prefix.value[0], prefix.length, entry),
            Search::Wide(trie) => trie.insert(&prefix.value, prefix.length, entry),
        }
        self.entries.insert(prefix, entry);
    }

    pub(crate) fn remove(&mut self, key: &Key, entry: u32) {
        let prefix = self.prefix(key);
        self.entries.remove(&prefix);
        let cover = self.cover(prefix.clone());
        let Prefix { value, length } = prefix;
        match &mut self.search {
            Search::Narrow(trie) => trie.remove(value[0], length, Leaf::new(cover)),
            Search::Wide(trie) => trie.remove(&value, length, entry, cover),
        }
    }

    /// The longest prefix of a prefix: entry and length.
    fn cover(&self, mut prefix: Prefix) -> Option<(u32, u32)> {
        while prefix.length > self.exact_bits {
            prefix.shorten();
            if let Some(&entry) = self.entries.get(&prefix) {
                return Some((entry, prefix.length));
            }
        }
        None
    }

    fn prefix(&self, key: &Key) -> Prefix {
        let length = self.exact_bits + key.prefix_length().unwrap_or(self.prefix_bits);
        Prefix { value: key.value(&self.packing), length }
    }
}
