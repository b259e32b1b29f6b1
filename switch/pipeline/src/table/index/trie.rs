//! Longest prefix match by a multibit trie with controlled prefix expansion (Srinivasan and
//! Varghese 1999): a packet's key is looked up chunk by chunk, and every slot of a node says at
//! once which prefix is the longest there.
//!
//! The root has many slots, for speed; nodes far below it have few, for memory.

/// A slot that leads to a node; the others hold an entry plus one, or 0 for none.
const NODE: u32 = 1 << 31;

/// Bits of a key that are looked up at once, by how many have been before.
const fn chunk_bits(offset: u32) -> u32 {
    match offset {
        0 => 16,
        16 => 8,
        _ => 4,
    }
}

const WORD_BITS: u32 = 64;

/// A trie of prefixes with the numbers of entries. Prefixes begin at the most significant bit of a
/// key, and what follows them is 0.
#[derive(Debug)]
pub(crate) struct Trie {
    /// The slots of all nodes; a node is named by its first slot, and the root is 0.
    slots: Vec<u32>,
    /// The length of the prefix that each slot without a node belongs to; 0 if it has none.
    lengths: Vec<u16>,
    /// Nodes that are not in use, by the bits that choose a slot of theirs.
    free: [Vec<u32>; 2],
}

/// The longest prefix in a slot; `slot` is an entry plus one, or 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Leaf {
    slot: u32,
    length: u16,
}

impl Leaf {
    /// No prefix.
    const NONE: Leaf = Leaf { slot: 0, length: 0 };

    /// An entry with the length of its prefix.
    pub(crate) fn new(found: Option<(u32, u32)>) -> Leaf {
        match found {
            Some((entry, length)) => Leaf { slot: entry + 1, length: length as u16 },
            None => Leaf::NONE,
        }
    }
}

impl Trie {
    pub(crate) fn new() -> Trie {
        let mut trie = Trie { slots: Vec::new(), lengths: Vec::new(), free: Default::default() };
        trie.add_node(chunk_bits(0), Leaf::NONE);
        trie
    }

    /// The entry with the longest prefix of a key.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<u32> {
        let (mut node, mut offset) = (0, 0);
        loop {
            let bits = chunk_bits(offset);
            let slot = self.slots[node + chunk(key, offset, bits)];
            if slot & NODE == 0 {
                return slot.checked_sub(1);
            }
            node = (slot & !NODE) as usize;
            offset += bits;
        }
    }

    /// Adds a prefix.
    pub(crate) fn insert(&mut self, key: u64, length: u32, entry: u32) {
        let (mut node, mut offset) = (0, 0);
        while length > offset + chunk_bits(offset) {
            let bits = chunk_bits(offset);
            let slot = node + chunk(key, offset, bits);
            offset += bits;
            if self.slots[slot] & NODE == 0 {
                let leaf = self.leaf(slot);
                self.slots[slot] = self.add_node(chunk_bits(offset), leaf) | NODE;
            }
            node = (self.slots[slot] & !NODE) as usize;
        }
        let leaf = Leaf::new(Some((entry, length)));
        self.replace(node, offset, key, length, &|old: Leaf| old.length <= leaf.length, leaf);
    }

    /// Removes a prefix; `cover` is the longest prefix of it among the others.
    pub(crate) fn remove(&mut self, key: u64, length: u32, cover: Leaf) {
        let (mut node, mut offset) = (0, 0);
        let mut path = Vec::new();
        while length > offset + chunk_bits(offset) {
            let bits = chunk_bits(offset);
            let slot = node + chunk(key, offset, bits);
            if self.slots[slot] & NODE == 0 {
                return;
            }
            node = (self.slots[slot] & !NODE) as usize;
            offset += bits;
            path.push((slot, offset));
        }
        let mine = |old: Leaf| u32::from(old.length) == length && old.slot > 0;
        self.replace(node, offset, key, length, &mine, cover);
        for (slot, offset) in path.into_iter().rev() {
            self.collapse(slot, chunk_bits(offset));
        }
    }

    /// Replaces the leaves that a prefix covers in a node and below, where `old` says so.
    fn replace(
        &mut self,
        node: usize,
        offset: u32,
        key: u64,
        length: u32,
        old: &impl Fn(Leaf) -> bool,
        new: Leaf,
    ) {
        let bits = chunk_bits(offset);
        let first = node + chunk(key, offset, bits);
        self.replace_slots(first..first + (1 << (offset + bits - length)), offset, old, new);
    }

    fn replace_slots(
        &mut self,
        slots: std::ops::Range<usize>,
        offset: u32,
        old: &impl Fn(Leaf) -> bool,
        new: Leaf,
    ) {
        let below = offset + chunk_bits(offset);
        for slot in slots {
            if self.slots[slot] & NODE != 0 {
                let node = (self.slots[slot] & !NODE) as usize;
                self.replace_slots(node..node + (1 << chunk_bits(below)), below, old, new);
            } else if old(self.leaf(slot)) {
                self.set(slot, new);
            }
        }
    }

    /// Puts a leaf in a node's place if all its slots are the same leaf.
    fn collapse(&mut self, slot: usize, bits: u32) {
        let node = (self.slots[slot] & !NODE) as usize;
        let leaf = self.leaf(node);
        let all = node..node + (1 << bits);
        if self.slots[node] & NODE == 0 && all.into_iter().all(|slot| self.leaf(slot) == leaf) {
            self.free[free_list(bits)].push(node as u32);
            self.set(slot, leaf);
        }
    }

    fn add_node(&mut self, bits: u32, leaf: Leaf) -> u32 {
        let size = 1 << bits;
        if let Some(node) = self.free[free_list(bits)].pop() {
            (node as usize..node as usize + size).for_each(|slot| self.set(slot, leaf));
            return node;
        }
        let node = self.slots.len();
        assert!(node < NODE as usize, "fewer prefixes than slots have numbers");
        self.slots.resize(node + size, leaf.slot);
        self.lengths.resize(node + size, leaf.length);
        node as u32
    }

    fn leaf(&self, slot: usize) -> Leaf {
        Leaf { slot: self.slots[slot], length: self.lengths[slot] }
    }

    fn set(&mut self, slot: usize, leaf: Leaf) {
        self.slots[slot] = leaf.slot;
        self.lengths[slot] = leaf.length;
    }
}

const fn free_list(bits: u32) -> usize {
    (bits == 4) as usize
}

/// Bits of a key from an offset on, counted from its most significant bit.
#[inline]
fn chunk(key: u64, offset: u32, bits: u32) -> usize {
    (key << offset >> (WORD_BITS - bits)) as usize
}
