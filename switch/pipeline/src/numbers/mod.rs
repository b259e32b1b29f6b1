//! Arithmetic that knows nothing of packets: numbers of any width, hashes, random numbers.

pub(crate) mod bits;
pub(crate) mod crc;
pub(crate) mod hash;
pub(crate) mod random;
pub(crate) mod toeplitz;
