use super::*;

/// The key and some of the inputs of Microsoft's "Verifying the RSS Hash Calculation".
const KEY: [u8; 40] = [
    0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0,
    0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30, 0xf2, 0x0c,
    0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
];

#[test]
fn hashes_of_addresses_and_ports_are_those_of_receive_side_scaling() {
    let key = ToeplitzKey::new(&KEY).expect("whole words");
    let input = [66, 9, 149, 187, 161, 142, 100, 80, 0x0a, 0xea, 0x06, 0xe6];
    assert_eq!(key.hash(&input[..8]), 0x323e_8fc2);
    assert_eq!(key.hash(&input), 0x51cc_c178);
}

#[test]
fn the_last_word_is_padded_and_the_key_begins_anew() {
    let key = ToeplitzKey::new(&[0x80, 0, 0, 1]).expect("a whole word");
    assert_eq!(key.hash(&[]), 0);
    assert_eq!(key.hash(&[0x80]), 0x8000_0001);
    assert_eq!(key.hash(&[0, 0, 0, 0, 0x80]), 0x8000_0001);
    assert_eq!(key.hash(&[0x40]), 0x0000_0003);
}

#[test]
fn a_key_is_of_whole_words() {
    for length in [0, 1, 3, 5] {
        assert!(ToeplitzKey::new(&vec![1; length]).is_none(), "{length}");
    }
}
