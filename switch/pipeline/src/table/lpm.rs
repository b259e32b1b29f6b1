//! Longest prefix match: one hash table per prefix length in use, tried from the longest.

use super::key_map::KeyMap;
use super::{Key, KeyField};
use crate::bits;
use crate::control::MatchKind;

/// The index of a table with one prefix field and any number of exact ones.
#[derive(Debug)]
pub(crate) struct Lpm {
    /// Limbs before the prefix field in the key.
    offset: usize,
    bits: u32,
    limbs: usize,
    /// Longest first; none is empty.
    lengths: Vec<Length>,
    /// Space for a masked key.
    scratch: Vec<u64>,
}

/// The entries of one prefix length.
#[derive(Debug)]
struct Length {
    prefix_length: u32,
    mask: Vec<u64>,
    map: KeyMap,
}

impl Lpm {
    /// An empty index, if one of the fields is a prefix.
    pub(crate) fn new(fields: &[KeyField]) -> Option<Lpm> {
        let position = fields.iter().position(|field| field.kind == MatchKind::Lpm)?;
        let limbs = fields.iter().map(|field| field.place.limbs());
        let total: usize = limbs.clone().sum();
        Some(Lpm {
            offset: limbs.take(position).sum(),
            bits: fields[position].bits(),
            limbs: total,
            lengths: Vec::new(),
            scratch: vec![0; total],
        })
    }

    /// The entry with the longest prefix of the key.
    #[inline]
    pub(crate) fn get(&mut self, key: &[u64]) -> Option<u32> {
        for length in &self.lengths {
            let found = match &length.map {
                KeyMap::Narrow(map) => map.get(&(key[0] & length.mask[0])).copied(),
                map => {
                    self.scratch.copy_from_slice(key);
                    let prefix = &mut self.scratch[self.offset..];
                    for (limb, mask) in prefix.iter_mut().zip(&length.mask) {
                        *limb &= mask;
                    }
                    map.get(&self.scratch)
                }
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The entry with exactly this prefix.
    pub(crate) fn find(&self, key: &Key) -> Option<u32> {
        let prefix_length = key.prefix_length()?;
        let length = self.lengths.iter().find(|length| length.prefix_length == prefix_length)?;
        length.map.get(&key.values())
    }

    pub(crate) fn insert(&mut self, key: &Key, entry: u32) {
        let prefix_length = key.prefix_length().unwrap_or(self.bits);
        let position = self.position(prefix_length);
        if self.lengths.get(position).is_none_or(|length| length.prefix_length != prefix_length) {
            self.lengths.insert(
                position,
                Length {
                    prefix_length,
                    mask: bits::prefix_mask(self.bits, prefix_length),
                    map: KeyMap::new(self.limbs),
                },
            );
        }
        self.lengths[position].map.insert(key.values(), entry);
    }

    pub(crate) fn remove(&mut self, key: &Key) {
        let position = self.position(key.prefix_length().unwrap_or(self.bits));
        if let Some(length) = self.lengths.get_mut(position) {
            length.map.remove(&key.values());
            if length.map.is_empty() {
                self.lengths.remove(position);
            }
        }
    }

    /// Where a prefix length is or belongs in the descending order.
    fn position(&self, prefix_length: u32) -> usize {
        self.lengths.partition_point(|length| length.prefix_length > prefix_length)
    }
}
