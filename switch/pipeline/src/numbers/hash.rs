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

/// The names of the algorithms in the JSON format.
pub(crate) const ALGORITHMS: [&str; 19] = [
    "crc8_custom",
    "crc16",
    "crc16_custom",
    "crcCCITT",
    "crc32",
    "crc32_custom",
    "crc64_custom",
    "csum16",
    "cksum16",
    "xor16",
    "xor32",
    "identity",
    "xxh64",
    "bmv2_hash",
    "hash_ex",
    "toeplitz",
    "random",
    "round_robin",
    "round_robin_consistent",
];

impl Algorithm {
    /// The algorithm of that name; [`ALGORITHMS`] lists them. Those with custom parameters begin
    /// with BMv2's.
    pub(crate) fn named(name: &str) -> Option<Algorithm> {
        Some(match name {
            "crc8_custom" => Algorithm::Crc8,
            "crc16" => Algorithm::Crc16,
            "crc16_custom" => Algorithm::CustomCrc16,
            "crcCCITT" => Algorithm::CrcCcitt,
            "crc32" => Algorithm::Crc32,
            "crc32_custom" => Algorithm::CustomCrc32,
            "crc64_custom" => Algorithm::Crc64,
            "csum16" | "cksum16" => Algorithm::Csum16,
            "xor16" => Algorithm::Xor16,
            "xor32" => Algorithm::Xor32,
            "identity" => Algorithm::Identity,
            "xxh64" | "bmv2_hash" => Algorithm::Xxh64,
            "hash_ex" => Algorithm::HashEx,
            "toeplitz" => Algorithm::Toeplitz,
            "random" => Algorithm::Random,
            "round_robin" => Algorithm::RoundRobin,
            "round_robin_consistent" => Algorithm::RoundRobinConsistent,
            _ => return None,
        })
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
mod tests {
    use super::*;

    /// The check input of the CRC catalogues.
    const CHECK: &[u8] = b"123456789";

    fn hash(name: &str, bytes: &[u8]) -> u64 {
        let algorithm = Algorithm::named(name).unwrap_or_else(|| panic!("{name} is missing"));
        algorithm.hash(bytes, &mut Memory::default())
    }

    #[test]
    fn the_crcs_have_their_published_check_values() {
        for (name, check) in [
            ("crc8_custom", 0xf4),
            ("crc16", 0xbb3d),
            ("crc16_custom", 0xbb3d),
            ("crcCCITT", 0x29b1),
            ("crc32", 0xcbf4_3926),
            ("crc32_custom", 0xcbf4_3926),
            ("crc64_custom", 0x46a5_a938_8a5b_effe),
        ] {
            assert_eq!(hash(name, CHECK), check, "{name}");
        }
        assert_eq!((hash("crc16", &[]), hash("crc32", &[])), (0, 0));
        assert_eq!(hash("crcCCITT", &[]), 0xffff);
    }

    #[test]
    fn xxh64_has_its_published_values() {
        assert_eq!(hash("xxh64", &[]), 0xef46_db37_51d8_e999);
        assert_eq!(hash("bmv2_hash", b"a"), 0xd24e_c4f1_a98c_6e5b);
    }

    #[test]
    fn bytes_of_hash_ex_have_a_sign() {
        // Computed with a C++ compiler whose char is signed.
        assert_eq!(hash("hash_ex", CHECK), 0xaf67_fb84);
        assert_eq!(hash("hash_ex", &[0x80, 0xff, 1]), 0x4fa3_9630);
    }

    #[test]
    fn the_checksum_follows_rfc_1071() {
        let example = [0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7];
        assert_eq!(hash("csum16", &example), 0x220d);
        assert_eq!(hash("cksum16", &[0x12]), 0xedff);
        assert_eq!(hash("csum16", &[]), 0xffff);
    }

    #[test]
    fn xor_pads_the_last_word_and_identity_takes_eight_bytes() {
        assert_eq!(hash("xor16", &[0x12, 0x34, 0xff]), 0x1234 ^ 0xff00);
        assert_eq!(hash("xor32", &[0x12, 0x34, 0x56, 0x78, 0xff, 1]), 0x1234_5678 ^ 0xff01_0000);
        assert_eq!(hash("identity", &[1, 2]), 0x0102);
        assert_eq!(hash("identity", &[1, 2, 3, 4, 5, 6, 7, 8, 9]), 0x0102_0304_0506_0708);
    }

    #[test]
    fn rounds_count_calls_or_inputs() {
        let mut memory = Memory::default();
        let rounds = [1, 1, 2].map(|byte| Algorithm::RoundRobin.hash(&[byte], &mut memory));
        assert_eq!(rounds, [0, 1, 2]);
        let mut memory = Memory::default();
        let consistent = Algorithm::RoundRobinConsistent;
        let rounds = [7, 7, 9, 7].map(|byte| consistent.hash(&[byte], &mut memory));
        assert_eq!(rounds, [0, 0, 1, 0]);
    }

    #[test]
    fn every_listed_name_is_known() {
        assert!(ALGORITHMS.iter().all(|name| Algorithm::named(name).is_some()));
    }
}
