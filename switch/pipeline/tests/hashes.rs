//! Hashes of fields (`hashes.p4`).

use crate::support::hashes::{crc16, crc32, internet_checksum};
use crate::support::random::Random;
use crate::support::{frame, Switch};
use crc::Crc;
use pipeline::CrcParameters;

const CRC16: u8 = 0;
const CRC16_CUSTOM: u8 = 1;
const CRC32: u8 = 2;
const CRC32_CUSTOM: u8 = 3;
const CSUM16: u8 = 4;
const XOR16: u8 = 5;
const IDENTITY: u8 = 6;
const RANDOM: u8 = 7;
const WIDE_BASE_AND_SIZE: u8 = 8;
const CRC32_TO_16_BITS: u8 = 9;
const HEADER_AND_NOTHING: u8 = 10;

/// Base and size that change no hash of up to 32 bits.
const PLAIN: (u64, u64) = (0, 1 << 40);

fn packet(choice: u8, key: u128, (base, size): (u64, u64)) -> Vec<u8> {
    let (base, size) = (base.to_be_bytes(), size.to_be_bytes());
    frame(&[&[choice], &key.to_be_bytes(), &base, &size, &[0; 16]])
}

fn hash(switch: &mut Switch, choice: u8, key: u128, base_and_size: (u64, u64)) -> u64 {
    let sent = switch.send(&packet(choice, key, base_and_size)).unwrap();
    u64::from_be_bytes(sent[41..49].try_into().unwrap())
}

#[test]
fn every_algorithm_of_v1model_hashes_the_bytes_of_its_input() {
    let mut switch = Switch::load("hashes");
    let mut random = Random::new(11);
    for _ in 0..100 {
        let key = random.wide();
        let bytes = key.to_be_bytes();
        let words = bytes.chunks(2).map(|pair| u64::from(pair[0]) << 8 | u64::from(pair[1]));
        for (choice, expected) in [
            (CRC16, crc16(&bytes).into()),
            (CRC16_CUSTOM, crc16(&bytes).into()),
            (CRC32, crc32(&bytes).into()),
            (CRC32_CUSTOM, crc32(&bytes).into()),
            (CSUM16, internet_checksum(&bytes).into()),
            (XOR16, words.clone().fold(0, |hash, word| hash ^ word)),
            (CRC32_TO_16_BITS, u64::from(crc32(&bytes) as u16)),
        ] {
            assert_eq!(hash(&mut switch, choice, key, PLAIN), expected, "{choice}, {key:x}");
        }
    }
}

#[test]
fn a_hash_lies_between_base_and_base_plus_size() {
    let mut switch = Switch::load("hashes");
    let key = 0xfedc_ba98_7654_3210 << 64;
    let identity = 0xfedc_ba98_7654_3210;
    for (base, size) in [(0, u64::MAX), (10, 7), (u64::MAX, 1 << 63), (5, 1)] {
        let expected = (identity % size).wrapping_add(base);
        assert_eq!(hash(&mut switch, IDENTITY, key, (base, size)), expected);
        assert_eq!(hash(&mut switch, WIDE_BASE_AND_SIZE, key, (base, size)), expected);
    }
    for _ in 0..100 {
        assert!((10..14).contains(&hash(&mut switch, RANDOM, 0, (10, 4))));
    }
}

#[test]
fn a_size_of_zero_counts_as_one() {
    let mut switch = Switch::load("hashes");
    assert_eq!(hash(&mut switch, CRC32, 77, (9, 0)), 9);
}

#[test]
fn a_header_counts_as_its_bytes_and_a_last_part_of_a_byte_is_padded() {
    let mut switch = Switch::load("hashes");
    let sent = packet(HEADER_AND_NOTHING, 0x1234, (1, 2));
    let padded = frame(&[&sent, &[0x50]]);
    let expected = 0xffff << 16 | u64::from(crc16(&padded));
    assert_eq!(hash(&mut switch, HEADER_AND_NOTHING, 0x1234, (1, 2)), expected);
}

/// CRC-16/DNP and CRC-32/BZIP2 of the catalogues.
const DNP: CrcParameters = CrcParameters {
    polynomial: 0x3d65,
    initial: 0,
    final_xor: 0xffff,
    data_reflected: true,
    remainder_reflected: true,
};
const BZIP2: CrcParameters = CrcParameters {
    polynomial: 0x04c1_1db7,
    initial: 0xffff_ffff,
    final_xor: 0xffff_ffff,
    data_reflected: false,
    remainder_reflected: false,
};

#[test]
fn custom_crcs_have_the_parameters_that_they_are_given_and_others_keep_theirs() {
    let mut switch = Switch::load("hashes");
    let key = 0x1234_5678_9abc_def0_u128 << 40;
    let bytes = key.to_be_bytes();
    switch.control().set_crc16("calc_0", DNP).unwrap();
    switch.control().set_crc32("calc_2", BZIP2).unwrap();
    for (choice, expected) in [
        (CRC16, crc16(&bytes).into()),
        (CRC16_CUSTOM, u64::from(Crc::<u16>::new(&crc::CRC_16_DNP).checksum(&bytes))),
        (CRC32, crc32(&bytes).into()),
        (CRC32_CUSTOM, Crc::<u32>::new(&crc::CRC_32_BZIP2).checksum(&bytes).into()),
    ] {
        assert_eq!(hash(&mut switch, choice, key, PLAIN), expected, "{choice}");
    }
}

#[test]
fn hashes_without_such_parameters_are_told_from_those_that_are_not_there() {
    let mut switch = Switch::load("hashes");
    let mut refused = |name: &str| switch.control().set_crc16(name, DNP).unwrap_err().to_string();
    assert_eq!(
        refused("calc_2"),
        "calculation calc_2: its algorithm is another one; valid: crc16_custom"
    );
    assert!(refused("calc_4").ends_with("valid: crc16_custom"));
    assert!(refused("nothing").starts_with("no calculation 'nothing'; valid: calc, calc_0, "));
    let no_toeplitz = switch.control().set_toeplitz_key("calc", &[0; 4]).unwrap_err().to_string();
    assert!(no_toeplitz.ends_with("valid: toeplitz"), "{no_toeplitz}");
}

#[test]
fn a_toeplitz_hash_has_the_key_that_it_is_given() {
    let json: String =
        include_str!("programs/hashes.json").replace("\"crc16_custom\"", "\"toeplitz\"");
    let mut switch = Switch::of(json.as_bytes());
    let key = 0x8000_0000 << 96;
    assert_eq!(hash(&mut switch, CRC16_CUSTOM, key, PLAIN), 0);
    for length in [0, 3] {
        let refused = switch.control().set_toeplitz_key("calc_0", &vec![1; length]).unwrap_err();
        assert!(refused.to_string().contains("valid: 4, 8, 12 and so on"));
    }
    switch.control().set_toeplitz_key("calc_0", &[0x12, 0x34, 0x56, 0x78]).unwrap();
    assert_eq!(hash(&mut switch, CRC16_CUSTOM, key, PLAIN), 0x1234_5678);
}
