//! Longest prefix match by a trie that is compressed twice, as the LC-trie (Nilsson and Karlsson
//! 1999): a node stands where prefixes part, however many bits they share before (path
//! compression), and chooses by several bits at once (level compression). How many bits is
//! fixed here, and a prefix that ends among them fills all slots that it covers (controlled
//! prefix expansion, Srinivasan and Varghese 1999). The trie ends in buckets of few prefixes.
//!
//! The bits between nodes are not looked at on the way down: each prefix that is met is compared with
//! the key. Depth and memory depend on how many prefixes there are, not on how wide they are.

use super::bucket::{shared_bits, Bucket, Buckets, Prefix, BUCKET_BITS};
use crate::numbers::bits::LIMB_BITS;

/// Bits of a key that choose a slot of the first node, and of the others.
const ROOT_BITS: u32 = 8;
const NODE_BITS: u32 = 4;
const NODE_SLOTS: usize = 1 << NODE_BITS;

/// What tells a bucket from a node below a slot.
const BUCKET: u32 = 1 << BUCKET_BITS;
/// What tells a node.
const NODE: u32 = 1 << 31;

/// A trie of prefixes with the numbers of entries. Keys are words of 64 bits, the most
/// significant last; prefixes begin at the most significant bit, and what follows them is 0.
#[derive(Debug)]
pub(crate) struct PrefixTrie {
    /// The slots of all nodes; a node is named by its first slot, and the root is 0.
    slots: Vec<Slot>,
    /// Nodes that are not in use.
    free: Vec<u32>,
    buckets: Buckets,
    /// The values of all entries, one after the other.
    values: Vec<u64>,
    /// The lengths of the entries' prefixes.
    lengths: Vec<u32>,
    /// Words of a key.
    words: usize,
}

/// Where keys go whose bits at a node are the same.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    /// The longest prefix that ends among the bits of the node: an entry plus one, or 0.
    ending: u32,
    /// Where the longer prefixes are: a node, a bucket, or 0 if there are none.
    below: u32,
    /// The first bit that the node below looks at.
    offset: u32,
}

/// A node: its first slot, and the bits that choose a slot.
#[derive(Debug, Clone, Copy)]
struct Node {
    first: usize,
    offset: u32,
    bits: u32,
}

/// What is below a slot.
#[derive(Debug, Clone, Copy)]
enum Below {
    Nothing,
    Bucket(Bucket),
    Node(Node),
}

const ROOT: Node = Node { first: 0, offset: 0, bits: ROOT_BITS };

impl Node {
    #[inline]
    fn end(self) -> u32 {
        self.offset + self.bits
    }

    /// The slot of a key.
    #[inline]
    fn slot(self, key: &[u64]) -> usize {
        let word = key[key.len() - 1 - (self.offset / LIMB_BITS) as usize];
        self.first + (word << (self.offset % LIMB_BITS) >> (LIMB_BITS - self.bits)) as usize
    }

    /// The slots that a prefix covers which ends in this node.
    fn covered(self, prefix: Prefix<'_>) -> std::ops::Range<usize> {
        let first = self.slot(prefix.value);
        first..first + (1 << (self.end() - prefix.length))
    }
}

impl Slot {
    fn set_bucket(&mut self, bucket: Bucket) {
        self.below = bucket.number() | BUCKET;
    }

    #[inline]
    fn below(self) -> Below {
        match self.below {
            0 => Below::Nothing,
            below if below & NODE == 0 => Below::Bucket(Bucket::from_number(below & !BUCKET)),
            below => {
                let first = (below & !NODE) as usize;
                Below::Node(Node { first, offset: self.offset, bits: NODE_BITS })
            }
        }
    }
}

impl PrefixTrie {
    /// A trie for keys of so many words.
    pub(crate) fn new(words: usize) -> PrefixTrie {
        PrefixTrie {
            slots: vec![Slot::default(); 1 << ROOT_BITS],
            free: Vec::new(),
            buckets: Buckets::new(words),
            values: Vec::new(),
            lengths: Vec::new(),
            words,
        }
    }

    /// The entry with the longest prefix of a key.
    #[inline(never)]
    pub(crate) fn get(&self, key: &[u64]) -> Option<u32> {
        let (mut node, mut longest) = (ROOT, None);
        loop {
            let slot = self.slots[node.slot(key)];
            if let Some(ending) = slot.ending.checked_sub(1) {
                // All that is below begins with this prefix.
                if !self.prefix(ending).matches(key) {
                    return longest;
                }
                longest = Some(ending);
            }
            match slot.below() {
                Below::Node(below) => node = below,
                Below::Nothing => return longest,
                Below::Bucket(bucket) => {
                    let mut prefixes = self.buckets.prefixes(bucket);
                    let found = prefixes.find(|prefix| prefix.matches(key));
                    return found.map(|prefix| prefix.entry).or(longest);
                }
            }
        }
    }

    /// Adds a prefix that is not there.
    pub(crate) fn insert(&mut self, value: &[u64], length: u32, entry: u32) {
        let known = self.lengths.len().max(entry as usize + 1);
        self.lengths.resize(known, 0);
        self.values.resize(known * self.words, 0);
        self.lengths[entry as usize] = length;
        self.values[entry as usize * self.words..][..self.words].copy_from_slice(value);
        self.place(ROOT, Prefix { value, length, entry });
    }

    /// Puts a prefix into a node, or below it.
    fn place(&mut self, mut node: Node, prefix: Prefix<'_>) {
        while prefix.length > node.end() {
            let at = node.slot(prefix.value);
            match self.slots[at].below() {
                Below::Node(below) => node = self.node_on_the_way(at, below, prefix),
                Below::Bucket(bucket) => match self.buckets.insert(bucket, prefix) {
                    Some(bucket) => return self.slots[at].set_bucket(bucket),
                    None => node = self.split(at, bucket, prefix),
                },
                Below::Nothing => {
                    let bucket = self.buckets.add(prefix);
                    return self.slots[at].set_bucket(bucket);
                }
            }
        }
        for slot in &mut self.slots[node.covered(prefix)] {
            if slot.ending == 0 || self.lengths[slot.ending as usize - 1] < prefix.length {
                slot.ending = prefix.entry + 1;
            }
        }
    }

    /// The next node of a prefix: that below the slot, or a new one before it.
    fn node_on_the_way(&mut self, at: usize, below: Node, prefix: Prefix<'_>) -> Node {
        let known = self.value(self.any_entry(below)).to_vec();
        let parting = shared_bits(prefix.value, &known).min(prefix.length - 1);
        if parting >= below.offset {
            return below;
        }
        let slot = self.slots[at];
        let node = self.add_node(at, parting);
        self.slots[node.slot(&known)] = Slot { ending: 0, ..slot };
        node
    }

    /// Puts a node in the place of a full bucket, where the first of its prefixes and another one
    /// part or end.
    fn split(&mut self, at: usize, bucket: Bucket, prefix: Prefix<'_>) -> Node {
        let entries: Vec<u32> = self.buckets.prefixes(bucket).map(|known| known.entry).collect();
        let known = self.buckets.prefixes(bucket);
        let parting = known.map(|known| {
            shared_bits(prefix.value, known.value).min(prefix.length - 1).min(known.length - 1)
        });
        let parting = parting.min().unwrap_or(0);
        self.buckets.free(bucket);
        let node = self.add_node(at, parting);
        for entry in entries {
            let value = self.value(entry).to_vec();
            self.place(node, Prefix { value: &value, length: self.length(entry), entry });
        }
        node
    }

    /// Some entry at a node or below: all of them share the bits before it.
    fn any_entry(&self, mut node: Node) -> u32 {
        loop {
            let slots = &self.slots[node.first..node.first + NODE_SLOTS];
            let occupied = slots.iter().find(|slot| slot.ending != 0 || slot.below != 0);
            let slot = occupied.expect("nodes are not empty");
            match slot.below() {
                _ if slot.ending != 0 => return slot.ending - 1,
                Below::Node(below) => node = below,
                Below::Bucket(bucket) => {
                    let first = self.buckets.prefixes(bucket).next();
                    return first.expect("buckets are not empty").entry;
                }
                Below::Nothing => unreachable!("the slot is occupied"),
            }
        }
    }

    /// Removes a prefix; `cover` is the longest prefix of it among the others, with its length.
    pub(crate) fn remove(
        &mut self,
        value: &[u64],
        length: u32,
        entry: u32,
        cover: Option<(u32, u32)>,
    ) {
        let (mut node, mut parent) = (ROOT, None);
        while length > node.end() {
            let at = node.slot(value);
            match self.slots[at].below() {
                Below::Node(below) => (node, parent) = (below, Some(at)),
                Below::Bucket(bucket) => {
                    if self.buckets.remove(bucket, entry).is_none() {
                        self.slots[at].below = 0;
                        self.collapse(node, parent);
                    }
                    return;
                }
                Below::Nothing => return,
            }
        }
        // A cover that ends before this node is found before it.
        let cover = cover.filter(|(_, length)| parent.is_none() || *length > node.offset);
        let cover = cover.map_or(0, |(entry, _)| entry + 1);
        for slot in &mut self.slots[node.covered(Prefix { value, length, entry })] {
            if slot.ending == entry + 1 {
                slot.ending = cover;
            }
        }
        self.collapse(node, parent);
    }

    /// Does without a node in which one thing is left. A prefix that others hide does not count:
    /// hiding it takes two.
    fn collapse(&mut self, node: Node, parent: Option<usize>) {
        let Some(parent) = parent else { return };
        let slots = &self.slots[node.first..node.first + NODE_SLOTS];
        let mut ending = slots.iter().map(|slot| slot.ending).filter(|&ending| ending != 0);
        let mut below = slots.iter().filter(|slot| slot.below != 0);
        let left = match (ending.next(), below.next(), below.next()) {
            (Some(first), None, _) if ending.all(|other| other == first) => {
                let (value, length) = (self.value(first - 1).to_vec(), self.length(first - 1));
                let prefix = Prefix { value: &value, length, entry: first - 1 };
                let mut left = Slot::default();
                left.set_bucket(self.buckets.add(prefix));
                left
            }
            (None, Some(&only), None) => only,
            _ => return,
        };
        self.slots[parent] = Slot { ending: self.slots[parent].ending, ..left };
        self.free.push(node.first as u32);
    }

    /// An empty node below a slot, which looks at a bit and at some beside it.
    fn add_node(&mut self, at: usize, bit: u32) -> Node {
        let first = self.free.pop().map_or(self.slots.len(), |first| first as usize);
        assert!(first < NODE as usize, "fewer prefixes than slots have numbers");
        self.slots.resize(self.slots.len().max(first + NODE_SLOTS), Slot::default());
        self.slots[first..first + NODE_SLOTS].fill(Slot::default());
        let offset = bit / NODE_BITS * NODE_BITS;
        (self.slots[at].below, self.slots[at].offset) = (first as u32 | NODE, offset);
        Node { first, offset, bits: NODE_BITS }
    }

    /// The prefix of an entry.
    #[inline]
    fn prefix(&self, entry: u32) -> Prefix<'_> {
        Prefix { value: self.value(entry), length: self.length(entry), entry }
    }

    #[inline]
    fn length(&self, entry: u32) -> u32 {
        self.lengths[entry as usize]
    }

    #[inline]
    fn value(&self, entry: u32) -> &[u64] {
        &self.values[entry as usize * self.words..][..self.words]
    }
}
