//! The Toeplitz hash (Krawczyk 1994), as network adapters have it for receive-side scaling.

const WORD_BYTES: usize = 4;

/// The key of a Toeplitz hash: whole words of 32 bits. For longer inputs it begins anew.
#[derive(Debug)]
pub(crate) struct ToeplitzKey(Vec<u32>);

impl ToeplitzKey {
    /// A key of whole words, at least one; otherwise None.
    pub(crate) fn new(bytes: &[u8]) -> Option<ToeplitzKey> {
        let is_whole = !bytes.is_empty() && bytes.len() % WORD_BYTES == 0;
        is_whole.then(|| ToeplitzKey(words(bytes).collect()))
    }

    /// The hash of a byte string: for each bit that is set, the 32 bits of the key from there on.
    pub(crate) fn hash(&self, bytes: &[u8]) -> u32 {
        let key = |word: usize| u64::from(self.0[word % self.0.len()]);
        words(bytes).enumerate().fold(0, |hash, (place, word)| {
            let window = key(place) << 32 | key(place + 1);
            let set = (0..u32::BITS).filter(|bit| word << bit >> 31 == 1);
            set.fold(hash, |hash, bit| hash ^ (window >> (32 - bit)) as u32)
        })
    }
}

/// Words of 32 bits; the last one is padded with zeros at its end.
fn words(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.chunks(WORD_BYTES).map(|chunk| {
        let mut word = [0; WORD_BYTES];
        word[..chunk.len()].copy_from_slice(chunk);
        u32::from_be_bytes(word)
    })
}

#[cfg(test)]
#[path = "tests/toeplitz.rs"]
mod tests;
