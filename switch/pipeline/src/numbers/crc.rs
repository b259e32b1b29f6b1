//! Cyclic redundancy checks whose parameters are set while a program runs. Those with fixed ones are
//! the crate `crc`'s, which knows parameters at compile time only.

/// What a CRC of a width depends on, as in Rocksoft's model (Williams 1993).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrcParameters {
    /// Without its highest term.
    pub polynomial: u32,
    /// The remainder to begin with.
    pub initial: u32,
    /// What the remainder is combined with in the end.
    pub final_xor: u32,
    /// Whether the lowest bit of a byte comes first.
    pub data_reflected: bool,
    /// Whether the remainder's bits are reversed in the end.
    pub remainder_reflected: bool,
}

/// A CRC of 16 or 32 bits.
#[derive(Debug)]
pub(crate) struct Crc {
    parameters: CrcParameters,
    bits: u32,
    /// The remainder of each byte.
    remainders: Box<[u32; 256]>,
}

impl Crc {
    /// A CRC of so many bits, 8 to 32; higher bits of its parameters do not count.
    pub(crate) fn new(bits: u32, parameters: CrcParameters) -> Crc {
        let remainders = std::array::from_fn(|byte| {
            // At the high end of 32 bits, whatever the width is: so the division is the same.
            let divide = |remainder: u32, _| match remainder >> 31 {
                0 => remainder << 1,
                _ => remainder << 1 ^ parameters.polynomial << (32 - bits),
            };
            (0..8).fold((byte as u32) << 24, divide)
        });
        Crc { parameters, bits, remainders: Box::new(remainders) }
    }

    /// The CRC of a byte string.
    pub(crate) fn checksum(&self, bytes: &[u8]) -> u32 {
        let CrcParameters { initial, final_xor, data_reflected, remainder_reflected, .. } =
            self.parameters;
        let unused = 32 - self.bits;
        let step = |remainder: u32, &byte: &u8| {
            let byte = if data_reflected { byte.reverse_bits() } else { byte };
            remainder << 8 ^ self.remainders[usize::from(byte ^ (remainder >> 24) as u8)]
        };
        let remainder = bytes.iter().fold(initial << unused, step);
        let remainder =
            if remainder_reflected { remainder.reverse_bits() } else { remainder >> unused };
        (remainder ^ final_xor) & (u32::MAX >> unused)
    }
}

#[cfg(test)]
#[path = "tests/crc.rs"]
mod tests;
