//! Where the decisions of a case come from: a seed, or bytes that a coverage-guided fuzzer varies.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::{Bound, RangeBounds};
use std::sync::Arc;

use fastrand::Rng;

/// Random numbers: those that given bytes say, then those of a seed. A clone goes on alike.
#[derive(Debug, Clone)]
pub(crate) struct Random {
    bytes: Arc<[u8]>,
    taken: usize,
    rest: Rng,
}

impl Random {
    /// Numbers that depend on the seed alone.
    pub(crate) fn with_seed(seed: u64) -> Random {
        Random { bytes: Arc::default(), taken: 0, rest: Rng::with_seed(seed) }
    }

    /// Numbers that depend on the bytes alone. A decision takes as many as it needs, so that
    /// another byte is another decision; when all are taken, their hash is the seed.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Random {
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        Random { bytes: bytes.into(), taken: 0, rest: Rng::with_seed(hasher.finish()) }
    }

    pub(crate) fn bool(&mut self) -> bool {
        self.up_to(1) == 1
    }

    pub(crate) fn choice<T: Copy, const N: usize>(&mut self, choices: [T; N]) -> T {
        choices[self.usize(..N)]
    }

    /// A number from 0 to `greatest`.
    fn up_to(&mut self, greatest: u128) -> u128 {
        let needed = (u128::BITS - greatest.leading_zeros()).div_ceil(8) as usize;
        let Some(given) = self.bytes.get(self.taken..self.taken + needed) else {
            self.taken = self.bytes.len();
            return self.rest.u128(0..=greatest);
        };
        self.taken += needed;
        let number = given.iter().fold(0, |number, &byte| number << 8 | u128::from(byte));
        greatest.checked_add(1).map_or(number, |count| number % count)
    }
}

/// A method for each kind of number: one within a range, which is not empty.
macro_rules! numbers {
    ($($number:ident)*) => {
        impl Random {
            $(pub(crate) fn $number(&mut self, range: impl RangeBounds<$number>) -> $number {
                let low = match range.start_bound() {
                    Bound::Included(&low) => low,
                    _ => $number::MIN,
                };
                let high = match range.end_bound() {
                    Bound::Included(&high) => high,
                    Bound::Excluded(&high) => high - 1,
                    Bound::Unbounded => $number::MAX,
                };
                low.wrapping_add(self.up_to(high.abs_diff(low) as u128) as $number)
            })*
        }
    };
}

numbers! { u8 u16 u32 u64 u128 usize i32 }
