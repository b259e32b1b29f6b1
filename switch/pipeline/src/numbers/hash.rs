//! The hash algorithms that BMv2 knows, over byte strings.

use super::crc::{Crc as SetCrc, CrcParameters};
use super::random::Random;
use super::toeplitz::ToeplitzKey;
use crc::{Crc, CRC_16_ARC, CRC_16_IBM_3740, CRC_32_ISO_HDLC, CRC_8_SMBUS};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh64::xxh64;

static CRC_8: Crc<u8> = Crc::<u8>::new(&CRC_8_SMBUS);
static CRC_16: Crc<u16> = Crc::<u16>::new(&CRC_16_ARC);
static CRC_CCITT: Crc<u16> = Crc::<u16>::new(&CRC_16_IBM_3740);
static CRC_32: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
static CRC_64: Crc<u64> = Crc::<u64>::new(&CRC_64_ISO_3309);

/// ISO 3309's polynomial, with nothing added at either end.
const CRC_64_ISO_3309: crc::Algorithm<u64> = crc::Algorithm {
    width: 64,
    poly: 0x1b,
    init: 0,
    refin: true,
    refout: true,
    xorout: 0,
    check: 0x46a5_a938_8a5b_effe,
    residue: 0,
};

/// The seed of the algorithm `random`.
const RANDOM_SEED: u64 = 2;

/// The most inputs that one calculation of [`Algorithm::RoundRobinConsistent`] remembers.
const MAX_SEEN_INPUTS: usize = 1 << 16;

/// A hash algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Crc8,
    Crc16,
    CrcCcitt,
    Crc32,
    Crc64,
    Csum16,
    Xor16,
    Xor32,
    Identity,
    Xxh64,
    /// simple_switch's mixture of FNV-1a and one-at-a-time.
    HashEx,
    /// As [`Algorithm::Crc16`] until its parameters are set.
    CustomCrc16,
    /// As [`Algorithm::Crc32`] until its parameters are set.
    CustomCrc32,
    /// Its key is zero until it is set; so is the hash.
    Toeplitz,
    Random,
    /// 0, 1, 2... whatever the input is.
    RoundRobin,
    /// The same, but an input seen before has the same hash as then.
    RoundRobinConsistent,
}

/// Algorithms by their names in the JSON format. Those with custom parameters begin with BMv2's.
pub(crate) const ALGORITHMS: [(&str, Algorithm); 19] = [
    ("crc8_custom", Algorithm::Crc8),
    ("crc16", Algorithm::Crc16),
    ("crc16_custom", Algorithm::CustomCrc16),
    ("crcCCITT", Algorithm::CrcCcitt),
    ("crc32", Algorithm::Crc32),
    ("crc32_custom", Algorithm::CustomCrc32),
    ("crc64_custom", Algorithm::Crc64),
    ("csum16", Algorithm::Csum16),
    ("cksum16", Algorithm::Csum16),
    ("xor16", Algorithm::Xor16),
    ("xor32", Algorithm::Xor32),
    ("identity", Algorithm::Identity),
    ("xxh64", Algorithm::Xxh64),
    ("bmv2_hash", Algorithm::Xxh64),
    ("hash_ex", Algorithm::HashEx),
    ("toeplitz", Algorithm::Toeplitz),
    ("random", Algorithm::Random),
    ("round_robin", Algorithm::RoundRobin),
    ("round_robin_consistent", Algorithm::RoundRobinConsistent),
];

impl Algorithm {
    pub(crate) fn named(name: &str) -> Option<Algorithm> {
        ALGORITHMS.iter().find(|(known, _)| *known == name).map(|&(_, algorithm)| algorithm)
    }

    /// The hash of a byte string.
    pub(crate) fn hash(self, bytes: &[u8], memory: &mut Memory) -> u64 {
        match self {
            Algorithm::Crc8 => CRC_8.checksum(bytes).into(),
            Algorithm::Crc16 => CRC_16.checksum(bytes).into(),
            Algorithm::CrcCcitt => CRC_CCITT.checksum(bytes).into(),
            Algorithm::Crc32 => CRC_32.checksum(bytes).into(),
            Algorithm::Crc64 => CRC_64.checksum(bytes),
            Algorithm::Csum16 => csum16(bytes).into(),
            Algorithm::Xor16 => xor::<2>(bytes),
            Algorithm::Xor32 => xor::<4>(bytes),
            Algorithm::Identity => identity(bytes),
            Algorithm::Xxh64 => xxh64(bytes, 0),
            Algorithm::HashEx => hash_ex(bytes).into(),
            Algorithm::CustomCrc16 => match &memory.crc {
                Some(crc) => crc.checksum(bytes).into(),
                None => CRC_16.checksum(bytes).into(),
            },
            Algorithm::CustomCrc32 => match &memory.crc {
                Some(crc) => crc.checksum(bytes).into(),
                None => CRC_32.checksum(bytes).into(),
            },
            Algorithm::Toeplitz => memory.toeplitz.as_ref().map_or(0, |key| key.hash(bytes).into()),
            Algorithm::Random => memory.random.next(),
            Algorithm::RoundRobin => memory.next_round(),
            Algorithm::RoundRobinConsistent => memory.round_of(bytes),
        }
    }
}

/// What the algorithms that are not functions remember, and what others have been set to.
#[derive(Debug)]
pub(crate) struct Memory {
    crc: Option<SetCrc>,
    toeplitz: Option<ToeplitzKey>,
    random: Random,
    rounds: u64,
    seen: FxHashMap<Box<[u8]>, u64>,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory {
            crc: None,
            toeplitz: None,
            random: Random::new(RANDOM_SEED),
            rounds: 0,
            seen: FxHashMap::default(),
        }
    }
}

impl Memory {
    /// Sets the parameters of a CRC of so many bits.
    pub(crate) fn set_crc(&mut self, bits: u32, parameters: CrcParameters) {
        self.crc = Some(SetCrc::new(bits, parameters));
    }

    pub(crate) fn set_toeplitz_key(&mut self, key: ToeplitzKey) {
        self.toeplitz = Some(key);
    }

    fn next_round(&mut self) -> u64 {
        let round = self.rounds;
        self.rounds = round.wrapping_add(1);
        round
    }

    fn round_of(&mut self, bytes: &[u8]) -> u64 {
        if let Some(&round) = self.seen.get(bytes) {
            return round;
        }
        let round = self.next_round();
        if self.seen.len() < MAX_SEEN_INPUTS {
            self.seen.insert(bytes.into(), round);
        }
        round
    }
}

/// The Internet checksum (RFC 1071); an odd last byte is the high byte of a word.
fn csum16(bytes: &[u8]) -> u16 {
    !fold(words::<2>(bytes).sum())
}

/// The exclusive or of all words of `N` bytes.
fn xor<const N: usize>(bytes: &[u8]) -> u64 {
    words::<N>(bytes).fold(0, |hash, word| hash ^ word)
}

/// The first eight bytes as a number.
fn identity(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).fold(0, |hash, &byte| hash << 8 | u64::from(byte))
}

/// As in simple_switch, bytes from 0x80 on are negative.
fn hash_ex(bytes: &[u8]) -> u32 {
    let step = |hash: u32, &byte: &u8| (hash ^ byte as i8 as i32 as u32).wrapping_mul(0x0100_0193);
    let mut hash = bytes.iter().fold(0x811c_9dc5, step);
    hash = hash.wrapping_add(hash << 13);
    hash ^= hash >> 7;
    hash = hash.wrapping_add(hash << 3);
    hash ^= hash >> 17;
    hash.wrapping_add(hash << 5)
}

/// Reduces a sum of 16-bit words to 16 bits, adding carries back in.
pub(crate) fn fold(sum: u64) -> u16 {
    let mut sum = (sum & 0xffff_ffff) + (sum >> 32);
    // Three times are enough, and no branch depends on the sum.
    for _ in 0..3 {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    sum as u16
}

/// Words of `N` bytes; the last one is padded with zeros at its end.
fn words<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.chunks(N).map(|chunk| {
        let word = chunk.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
        word << (8 * (N - chunk.len()))
    })
}

#[cfg(test)]
#[path = "tests/hash.rs"]
mod tests;
