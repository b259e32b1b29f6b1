//! Byte strings (P4Runtime 1.5, section 8.3): the specification's own examples, and round trips.

use super::random::Random;
use crate::numbers::{canonical, decode, decode_signed, encode_signed, into_canonical};
use crate::status::Code;
use crate::values::ports;

#[test]
fn valid_unsigned_examples_are_accepted() {
    let cases: [(u32, &[u8], &[u8]); 6] = [
        (8, b"\x63", b"\x63"),
        (16, b"\x00\x63", b"\x63"),
        (16, b"\x63", b"\x63"),
        (16, b"\x30\x64", b"\x30\x64"),
        (16, b"\x00\x30\x64", b"\x30\x64"),
        (12, b"\x00\x00\x63", b"\x63"),
    ];
    for (width_bits, value, number) in cases {
        assert_eq!(decode(value, width_bits, &"field"), Ok(number));
    }
}

#[test]
fn valid_signed_examples_are_accepted() {
    let cases: [(u32, &[u8], i16); 5] = [
        (8, b"\x63", 99),
        (8, b"\x9d", -99),
        (8, b"\xff\x9d", -99),
        (12, b"\xfd\x1d", -739),
        (16, b"\x00\x00", 0),
    ];
    for (width_bits, value, number) in cases {
        let bits = decode_signed(value, width_bits, &"field").unwrap();
        let unused = 16 - width_bits;
        let found = bits.iter().fold(0_u16, |bits, &byte| bits << 8 | u16::from(byte));
        assert_eq!((found << unused) as i16 >> unused, number);
    }
}

#[test]
fn invalid_examples_are_out_of_range() {
    let unsigned: [(u32, &[u8]); 6] = [
        (8, b"\x01\x63"),
        (8, b""),
        (16, b"\x01\x00\x63"),
        (12, b"\x10\x63"),
        (12, b"\x01\x00\x63"),
        (12, b"\x00\x40\x63"),
    ];
    for (width_bits, value) in unsigned {
        let error = decode(value, width_bits, &"packet_out.port").unwrap_err();
        assert_eq!(error.code, Code::OutOfRange);
        assert!(error.message.starts_with("packet_out.port is "), "{error:?}");
    }
    let signed: [(u32, &[u8]); 3] = [(8, b"\x00\x9d"), (12, b"\x8d\x1d"), (16, b"")];
    for (width_bits, value) in signed {
        let error = decode_signed(value, width_bits, &"field").unwrap_err();
        assert_eq!(error.code, Code::OutOfRange);
    }
    let error = decode_signed(b"\x00\x9d", 8, &"field").unwrap_err();
    assert_eq!(error.message, "field is 157, which does not fit in int<8>");
    let error = decode_signed(b"\xff\x00", 8, &"field").unwrap_err();
    assert_eq!(error.message, "field is -256, which does not fit in int<8>");
}

#[test]
fn canonical_is_the_shortest_and_leading_zeros_change_nothing() {
    let mut random = Random::new(1);
    for _ in 0..2_000 {
        let number = random.wide().to_be_bytes();
        let zeros = random.below(20);
        let value = [vec![0; zeros], number.to_vec()].concat();
        let short = canonical(&value);
        assert!(short.len() == 1 || short[0] != 0);
        assert_eq!(short, canonical(&number));
        assert_eq!(into_canonical(value.clone()), short);
        assert_eq!(decode(&value, 128, &"field"), Ok(short));
    }
    assert_eq!(into_canonical(Vec::new()), [0]);
}

#[test]
fn signed_numbers_of_all_widths_come_back_as_their_shortest_bytes() {
    let mut random = Random::new(2);
    for _ in 0..5_000 {
        let width_bits = 1 + random.below(128) as u32;
        let number = random.wide() as i128 >> (128 - width_bits);
        let extension = random.below(3);
        let fill = if number < 0 { 0xff } else { 0 };
        let bytes = number.to_be_bytes();
        let value = [vec![fill; extension], bytes.to_vec()].concat();
        let bits = decode_signed(&value, width_bits, &"field").unwrap();
        assert_eq!(bits.len(), width_bits.div_ceil(8) as usize);
        let shortest = encode_signed(&bits, width_bits);
        // One byte less would be another number.
        let spare = |bytes: &[u8]| bytes[0] == fill && (bytes[1] ^ fill) & 0x80 == 0;
        assert!(shortest.len() == 1 || !spare(&shortest), "{shortest:?}");
        assert_eq!(shortest, bytes[16 - shortest.len()..]);
        assert!(bytes[..16 - shortest.len()].iter().all(|&byte| byte == fill));
    }
}

#[test]
fn a_signed_number_of_one_bit_too_many_is_refused() {
    for width_bits in 1..=120_u32 {
        let limit = 1_i128 << (width_bits - 1);
        for number in [-limit, limit - 1] {
            assert!(decode_signed(&number.to_be_bytes(), width_bits, &"field").is_ok());
        }
        for number in [-limit - 1, limit] {
            let error = decode_signed(&number.to_be_bytes(), width_bits, &"field").unwrap_err();
            let message = format!("field is {number}, which does not fit in int<{width_bits}>");
            assert_eq!((error.code, error.message), (Code::OutOfRange, message));
        }
    }
}

#[test]
fn numbers_of_thousands_of_bytes_are_refused_in_a_short_line() {
    for first in [0x01, 0x7f, 0x80, 0xff] {
        let mut value = vec![first; 5_000];
        value[1] = 0x55;
        for refused in [
            decode(&value, 64, &"field").map(drop),
            decode_signed(&value, 64, &"field").map(drop),
            ports::decode(&value, &"replica at", None).map(drop),
        ] {
            let message = refused.unwrap_err().message;
            assert!(message.len() < 300, "{} bytes", message.len());
            assert!(message.contains("... (5000 bytes)"), "{message}");
        }
    }
}

#[test]
fn a_port_is_the_same_in_both_fields_and_ends_where_the_switch_s_ports_do() {
    for port in [0, 1, 255, 256, 510] {
        assert_eq!(ports::check(port.into(), &"it watches"), Ok(port));
        assert_eq!(ports::decode(&ports::encode(port, None), &"it watches", None), Ok(port));
        assert_eq!(
            ports::decode(&[0, 0, 0, 0, 0, (port >> 8) as u8, port as u8], &"", None),
            Ok(port)
        );
    }
    for value in [&b"\x01\xff"[..], &[0xff; 8], &[0xff; 3], &[0xff; 4]] {
        let error = ports::decode(value, &"it watches", None).unwrap_err();
        assert_eq!(error.code, Code::InvalidArgument);
        assert!(error.message.starts_with("it watches port "), "{error:?}");
        assert!(error.message.ends_with("; valid: 0 to 510"), "{error:?}");
    }
    assert!(ports::check(-1, &"it watches").is_err());
    assert!(ports::check(511, &"it watches").is_err());
}
