//! The pseudo-random numbers of v1model's `random`: xorshift64* (Vigna 2016), so that a run can
//! be repeated.

/// A generator with its state.
#[derive(Debug, Clone)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    /// A generator whose sequence depends on the seed alone.
    pub(crate) fn new(seed: u64) -> Random {
        Random { state: seed ^ 0x9e37_79b9_7f4a_7c15 | 1 }
    }

    /// The next 64 random bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `bound`; any number if the bound is 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        match bound {
            0 => self.next(),
            _ => ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64,
        }
    }
}

#[cfg(test)]
#[path = "tests/random.rs"]
mod tests;
