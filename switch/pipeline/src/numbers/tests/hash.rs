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
