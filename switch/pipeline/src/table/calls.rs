//! What entries run, as packets need it: side by side, so that finding it takes one access.

use super::action::Call;

/// The calls of entries by their numbers.
#[derive(Debug)]
pub(crate) struct Calls {
    /// Words of each entry: the action plus one, and its arguments. An action of 0 says that
    /// there is no call.
    words: Vec<u64>,
    stride: usize,
}

impl Calls {
    pub(crate) fn new() -> Calls {
        Calls { words: Vec::new(), stride: 1 }
    }

    /// The action of an entry, and arguments of it that are followed by anything.
    #[inline]
    pub(crate) fn get(&self, entry: u32) -> Option<(usize, &[u64])> {
        let start = entry as usize * self.stride;
        match self.words.get(start..start + self.stride)? {
            [] | [0, ..] => None,
            [action, arguments @ ..] => Some((*action as usize - 1, arguments)),
        }
    }

    /// Says what an entry runs; None: it has no call of its own.
    pub(crate) fn set(&mut self, entry: u32, call: Option<&Call>) {
        let arguments = call.map_or(&[][..], |call| &call.arguments);
        self.widen(arguments.len() + 1);
        let start = entry as usize * self.stride;
        if self.words.len() < start + self.stride {
            self.words.resize(start + self.stride, 0);
        }
        let words = &mut self.words[start..start + self.stride];
        words[0] = call.map_or(0, |call| call.action as u64 + 1);
        words[1..=arguments.len()].copy_from_slice(arguments);
    }

    /// Makes room for calls of so many words.
    fn widen(&mut self, stride: usize) {
        if stride > self.stride {
            let mut words = vec![0; self.words.len() / self.stride * stride];
            let old = self.words.chunks(self.stride);
            for (new, old) in words.chunks_mut(stride).zip(old) {
                new[..old.len()].copy_from_slice(old);
            }
            (self.words, self.stride) = (words, stride);
        }
    }
}
