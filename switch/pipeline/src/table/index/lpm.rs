//! Longest prefix match: packets find entries in a trie, the control plane in a hash table for
//! every length. Exact fields of the key stand before the prefix.
//!
//! Keys of up to 32 bits are few nodes apart even in a trie that looks at all their bits, and need
//! not be compared with the prefix that is found; wider ones have a compressed trie.

use super::key_map::KeyMap;
use super::prefix_trie::PrefixTrie;
use super::trie::{Leaf, Trie};
use crate::numbers::bits::LIMB_BITS;
use crate::table::field::KeyField;
use crate::table::key::Key;
use crate::table::packing::Packing;
use crate::types::MatchKind;

/// The index of a table with one prefix field and any number of exact ones.
#[derive(Debug)]
pub(crate) struct Lpm {
    packing: Packing,
    /// Bits of the exact fields.
    exact_bits: u32,
    /// Bits of the prefix field.
    prefix_bits: u32,
    prefixes: Prefixes,
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
            prefixes: Prefixes::default(),
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
        self.prefixes.get(&key.value(&self.packing), self.length(key))
    }

    pub(crate) fn insert(&mut self, key: &Key, entry: u32) {
        let (value, length) = (key.value(&self.packing), self.length(key));
        self.prefixes.insert(&value, length, key.mask(&self.packing), entry);
        match &mut self.search {
            Search::Narrow(trie) => trie.insert(value[0], length, entry),
            Search::Wide(trie) => trie.insert(&value, length, entry),
        }
    }

    pub(crate) fn remove(&mut self, key: &Key, entry: u32) {
        let (value, length) = (key.value(&self.packing), self.length(key));
        self.prefixes.remove(&value, length);
        let cover = self.prefixes.cover(&value, length);
        match &mut self.search {
            Search::Narrow(trie) => trie.remove(value[0], length, Leaf::new(cover)),
            Search::Wide(trie) => trie.remove(&value, length, entry, cover),
        }
    }

    /// The length of exact fields and prefix as one prefix.
    fn length(&self, key: &Key) -> u32 {
        self.exact_bits + key.prefix_length().unwrap_or(self.prefix_bits)
    }
}

/// The prefixes themselves: one hash table for every length in use.
#[derive(Debug, Default)]
struct Prefixes {
    /// Longest first; none is empty.
    lengths: Vec<Length>,
}

/// The prefixes of one length.
#[derive(Debug)]
struct Length {
    length: u32,
    mask: Vec<u64>,
    entries: KeyMap<u32>,
}

impl Prefixes {
    fn get(&self, value: &[u64], length: u32) -> Option<u32> {
        let known = self.lengths.get(self.position(length))?;
        match known.length == length {
            true => known.entries.get(value).copied(),
            false => None,
        }
    }

    /// The longest prefix of a shorter length: entry and length.
    fn cover(&self, value: &[u64], length: u32) -> Option<(u32, u32)> {
        let shorter = self.lengths.iter().filter(|known| known.length < length);
        shorter.into_iter().find_map(|known| {
            let masked = value.iter().zip(&known.mask).map(|(word, mask)| word & mask);
            let entry = known.entries.get(&masked.collect::<Vec<_>>())?;
            Some((*entry, known.length))
        })
    }

    fn insert(&mut self, value: &[u64], length: u32, mask: Vec<u64>, entry: u32) {
        let position = self.position(length);
        if self.lengths.get(position).is_none_or(|known| known.length != length) {
            let entries = KeyMap::new(mask.len());
            self.lengths.insert(position, Length { length, mask, entries });
        }
        self.lengths[position].entries.insert(value, entry);
    }

    fn remove(&mut self, value: &[u64], length: u32) {
        let position = self.position(length);
        if let Some(known) = self.lengths.get_mut(position) {
            known.entries.remove(value);
            if known.entries.is_empty() {
                self.lengths.remove(position);
            }
        }
    }

    /// Where a length is or belongs in the descending order.
    fn position(&self, length: u32) -> usize {
        self.lengths.partition_point(|known| known.length > length)
    }
}
