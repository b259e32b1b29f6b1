//! The order in which masks are tried.

use std::cmp::Reverse;

/// The turn of a mask: those with higher priorities come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Turn {
    highest: Reverse<i32>,
    /// What tells masks apart.
    pub(super) number: u64,
}

impl Turn {
    /// The turn of a mask whose entries have no higher priority than this.
    pub(super) fn new(highest: i32, number: u64) -> Turn {
        Turn { highest: Reverse(highest), number }
    }

    /// The highest priority of the mask's entries.
    #[inline]
    pub(super) fn highest(&self) -> i32 {
        self.highest.0
    }
}

/// Masks by their turns.
#[derive(Debug)]
pub(super) struct Turns {
    turns: Vec<Turn>,
    /// The masks, one after the other.
    masks: Vec<u64>,
    /// Words of a mask.
    words: usize,
}

impl Turns {
    /// No masks, of so many words.
    pub(super) fn new(words: usize) -> Turns {
        Turns { turns: Vec::new(), masks: Vec::new(), words }
    }

    /// The turns with masks of `words` words, which the caller knows.
    #[inline]
    pub(super) fn iter(&self, words: usize) -> impl Iterator<Item = (Turn, &[u64])> {
        self.turns.iter().copied().zip(self.masks.chunks_exact(words))
    }

    pub(super) fn insert(&mut self, turn: Turn, mask: &[u64]) {
        let place = self.place(turn);
        self.turns.insert(place, turn);
        let start = place * self.words;
        self.masks.splice(start..start, mask.iter().copied());
    }

    pub(super) fn remove(&mut self, turn: Turn) {
        let place = self.place(turn);
        self.turns.remove(place);
        self.masks.drain(place * self.words..(place + 1) * self.words);
    }

    fn place(&self, turn: Turn) -> usize {
        self.turns.partition_point(|known| *known < turn)
    }
}
