//! Seeded random numbers for the tests (xorshift).

/// A generator with its state.
pub struct Random(u64);

impl Random {
    /// A generator whose sequence depends on the seed alone.
    pub fn new(seed: u64) -> Random {
        Random(seed | 1)
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below the bound.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() >> 11) as usize % bound
    }

    /// One of the choices.
    pub fn choose<'c, T>(&mut self, choices: &'c [T]) -> &'c T {
        &choices[self.below(choices.len())]
    }

    /// So many random bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.bits() as u8).collect()
    }

    /// A number near the ends of its range as often as a random one.
    pub fn wide(&mut self) -> u128 {
        let value = u128::from(self.bits()) << 64 | u128::from(self.bits());
        match self.below(6) {
            0 => value % 3,
            1 => u128::MAX - value % 3,
            2 => 1 << (value % 128),
            3 => u128::from(value as u64),
            _ => value,
        }
    }
}
