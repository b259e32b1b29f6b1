//! A Bloom filter of one hash (Bloom 1970): it tells most hashes that are not there at the cost
//! of one bit.

/// Bits for each hash, at least.
const BITS: usize = 16;
const WORD_BITS: u32 = 64;

/// A set of hashes that may say of few others that they are in it. Of a hash its highest bits count.
#[derive(Debug)]
pub(super) struct Filter {
    words: Vec<u64>,
    /// What brings the highest bits of a hash down to the number of a bit.
    shift: u32,
    /// Hashes that may be added before the filter becomes crowded.
    room: usize,
}

impl Filter {
    /// A filter of these hashes, with room for as many again.
    pub(super) fn new(hashes: impl ExactSizeIterator<Item = u64>) -> Filter {
        let room = hashes.len().max(WORD_BITS as usize);
        let bits = (2 * room * BITS).next_power_of_two();
        let words = vec![0; bits / WORD_BITS as usize];
        let mut filter = Filter { words, shift: WORD_BITS - bits.trailing_zeros(), room };
        hashes.for_each(|hash| filter.set(hash));
        filter
    }

    #[inline]
    pub(super) fn may_contain(&self, hash: u64) -> bool {
        let bit = hash >> self.shift;
        self.words[(bit / u64::from(WORD_BITS)) as usize] >> (bit % u64::from(WORD_BITS)) & 1 != 0
    }

    /// Adds a hash; false: there is no room.
    pub(super) fn add(&mut self, hash: u64) -> bool {
        if self.room == 0 {
            return false;
        }
        self.room -= 1;
        self.set(hash);
        true
    }

    fn set(&mut self, hash: u64) {
        let bit = hash >> self.shift;
        self.words[(bit / u64::from(WORD_BITS)) as usize] |= 1 << (bit % u64::from(WORD_BITS));
    }
}
