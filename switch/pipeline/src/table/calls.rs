//! What entries run, as packets need it: side by side, so that finding it takes few accesses. What
//! many entries run alike, such as routes to the same next hop, is there once: caches are small.

use super::action::Call;
use rustc_hash::FxHashMap;

/// The calls of entries by their numbers.
#[derive(Debug)]
pub(crate) struct Calls {
    /// The place of each entry's call; 0 if it has none of its own.
    places: Vec<u32>,
    /// Words of each place: the action, and its arguments.
    words: Vec<u64>,
    stride: usize,
    /// The places of known calls, and how many entries run each.
    known: FxHashMap<Box<[u64]>, (u32, usize)>,
    free: Vec<u32>,
}

impl Calls {
    pub(crate) fn new() -> Calls {
        Calls {
            places: Vec::new(),
            words: vec![0],
            stride: 1,
            known: FxHashMap::default(),
            free: Vec::new(),
        }
    }

    /// The action of an entry, and arguments of it that are followed by anything.
    #[inline]
    pub(crate) fn get(&self, entry: u32) -> Option<(usize, &[u64])> {
        let place = *self.places.get(entry as usize)?;
        let start = place as usize * self.stride;
        match self.words[start..start + self.stride] {
            [action, ref arguments @ ..] if place > 0 => Some((action as usize, arguments)),
            _ => None,
        }
    }

    /// Says what an entry runs instead of what it ran; None: it has no call of its own.
    pub(crate) fn replace(&mut self, entry: u32, before: Option<&Call>, now: Option<&Call>) {
        let entry = entry as usize;
        self.places.resize(self.places.len().max(entry + 1), 0);
        self.places[entry] = now.map_or(0, |call| self.add(call));
        if let Some(call) = before {
            self.release(call);
        }
    }

    /// The place of a call that one more entry runs.
    fn add(&mut self, call: &Call) -> u32 {
        let key = key(call);
        if let Some((place, entries)) = self.known.get_mut(&key) {
            *entries += 1;
            return *place;
        }
        self.widen(key.len());
        let place = self.free.pop().unwrap_or_else(|| {
            self.words.resize(self.words.len() + self.stride, 0);
            (self.words.len() / self.stride) as u32 - 1
        });
        self.words[place as usize * self.stride..][..key.len()].copy_from_slice(&key);
        self.known.insert(key, (place, 1));
        place
    }

    /// One entry less runs a call.
    fn release(&mut self, call: &Call) {
        let key = key(call);
        let Some((place, entries)) = self.known.get_mut(&key) else { return };
        *entries -= 1;
        if *entries == 0 {
            self.free.push(*place);
            self.known.remove(&key);
        }
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

/// The words of a call. Those of one action are equally many.
fn key(call: &Call) -> Box<[u64]> {
    std::iter::once(call.action as u64).chain(call.arguments.iter().copied()).collect()
}

#[cfg(test)]
#[path = "tests/calls.rs"]
mod tests;
