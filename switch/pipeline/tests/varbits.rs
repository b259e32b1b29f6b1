//! Fields of variable length and long lookahead (`varbits.p4`). BMv2 sends the same frames.

use crate::support::{frame, Switch};

const NO_ERROR: u8 = 0;
const PACKET_TOO_SHORT: u8 = 1;
const HEADER_TOO_SHORT: u8 = 2;
const INVALID_ARGUMENT: u8 = 3;
const STACK_OUT_OF_BOUNDS: u8 = 4;

// What the parser does, and ingress.
const OPTIONS: u8 = 0x00;
const NIBBLES: u8 = 0x10;
const BOTH: u8 = 0x20;
const LIST: u8 = 0x30;
const TWICE: u8 = 0x40;
const AHEAD: u8 = 0x50;
const AHEAD_HEADER: u8 = 0x60;
const SCALED: u8 = 0x70;
const ASSIGN_HEADER: u8 = 1;
const ASSIGN_VALUE: u8 = 2;
const COMPARE: u8 = 3;
const REMOVE: u8 = 4;
const ADD_AGAIN: u8 = 5;
const PUSH: u8 = 6;
const REPORT_AHEAD: u8 = 7;
const COMPARE_HEADERS: u8 = 8;
const SET_END: u8 = 9;

/// What the program reports, and the frame behind the command.
#[derive(Debug, PartialEq, Eq)]
struct Report {
    error: u8,
    value: u8,
    checksum: u16,
    packet_length: u32,
    rest: Vec<u8>,
}

fn report(command: u8, length_bits: u32, rest: &[u8]) -> Report {
    let sent = frame(&[&[command], &length_bits.to_be_bytes(), rest]);
    let sent = Switch::load("varbits").send(&sent).expect("the packet is forwarded");
    Report {
        error: sent[0],
        value: sent[1],
        checksum: u16::from_be_bytes([sent[2], sent[3]]),
        packet_length: u32::from_be_bytes(sent[4..8].try_into().unwrap()),
        rest: sent[13..].to_vec(),
    }
}

fn rest(command: u8, length_bits: u32, bytes: &[u8]) -> Vec<u8> {
    let report = report(command, length_bits, bytes);
    assert_eq!(report.error, NO_ERROR);
    report.rest
}

#[test]
fn a_field_of_any_length_leaves_as_it_came() {
    for bytes in 0..=10 {
        assert_eq!(rest(OPTIONS, 8 * bytes, b"0123456789abcdef"), b"0123456789abcdef");
    }
    for bytes in 0..=17 {
        let header = b"0123456789abcdefghijk";
        assert_eq!(rest(NIBBLES, 8 * bytes, header), header);
    }
}

#[test]
fn the_fields_behind_it_are_found() {
    for bytes in 0..=10 {
        let header = b"0123456789abcdef";
        let mut expected = header.to_vec();
        expected[1 + bytes..3 + bytes].fill(0xee);
        assert_eq!(rest(OPTIONS | SET_END, 8 * bytes as u32, header), expected);
    }
}

#[test]
fn the_length_is_a_multiple_of_eight_bits() {
    for bits in [1, 4, 7, 9, 79, 0xffff_ffff] {
        assert_eq!(report(OPTIONS, bits, b"0123456789abcdef").error, INVALID_ARGUMENT, "{bits}");
    }
    // As in BMv2, it is limited to 31 bits before that is looked at.
    assert_eq!(report(OPTIONS, 0x8000_0000, b"0123456789abcdef").error, INVALID_ARGUMENT);
}

#[test]
fn a_field_that_is_too_long_for_its_header_is_not_extracted() {
    let report = report(OPTIONS, 88, b"0123456789abcdef");
    assert_eq!((report.error, report.rest), (HEADER_TOO_SHORT, b"0123456789abcdef".to_vec()));
}

#[test]
fn a_frame_that_is_too_short_is_told_before_a_header_that_is() {
    for (bits, bytes) in [(16, 4), (88, 13), (0x7fff_fff8, 16)] {
        let header = &b"0123456789abcdef"[..bytes];
        let report = report(OPTIONS, bits, header);
        assert_eq!((report.error, report.rest), (PACKET_TOO_SHORT, header.to_vec()), "{bits}");
    }
    assert_eq!(report(OPTIONS, 88, &b"0123456789abcd"[..]).error, HEADER_TOO_SHORT);
}

#[test]
fn the_length_can_be_computed() {
    // 8 * (length - 2)
    assert_eq!(report(SCALED, 2, b"abc").error, NO_ERROR);
    assert_eq!(report(SCALED, 12, b"0123456789abc").error, NO_ERROR);
    assert_eq!(report(SCALED, 13, b"0123456789abcd").error, HEADER_TOO_SHORT);
    assert_eq!(report(SCALED, 1, b"0123456789abc").error, PACKET_TOO_SHORT);
}

#[test]
fn the_headers_of_a_stack_have_lengths_of_their_own() {
    let report = report(LIST, 16, b"abcdef");
    assert_eq!((report.error, &report.rest[..]), (STACK_OUT_OF_BOUNDS, &b"abcdef"[..]));
    let pushed = self::report(LIST | PUSH, 16, b"abcdef");
    assert_eq!(pushed.rest, b"abef");
}

#[test]
fn a_header_that_is_extracted_again_counts_as_long_as_it_was() {
    // As in BMv2: the second time, 3 + 1 + 1 bytes must be there for 3 + 1.
    assert_eq!(report(TWICE, 8, b"0123abcde").error, NO_ERROR);
    assert_eq!(report(TWICE, 8, b"0123abcd").error, PACKET_TOO_SHORT);
}

#[test]
fn an_assignment_copies_the_length() {
    assert_eq!(rest(OPTIONS | ASSIGN_HEADER, 24, b"012345"), b"012345012345");
    // Options of 40 bits are assigned to others of 16 bits.
    let expected = b"01234567A12345DEx";
    assert_eq!(rest(BOTH | ASSIGN_VALUE, 40, b"01234567ABCDEx"), expected);
}

#[test]
fn values_are_compared_as_numbers() {
    assert_eq!(report(BOTH | COMPARE, 16, b"xABxxyAByy").value, 1);
    assert_eq!(report(BOTH | COMPARE, 16, b"xABxxyACyy").value, 0);
    // As in BMv2, leading zeros do not count.
    assert_eq!(report(BOTH | COMPARE, 24, b"x\0ABxxyAByy").value, 1);
    assert_eq!(report(BOTH | COMPARE, 8, b"xBxxy\0Byy").value, 1);
}

#[test]
fn headers_are_compared_with_all_their_fields() {
    assert_eq!(report(BOTH | COMPARE_HEADERS, 16, b"xABxxxABxx").value, 1);
    assert_eq!(report(BOTH | COMPARE_HEADERS, 16, b"xABxxxABxy").value, 0);
}

#[test]
fn a_removed_header_takes_its_whole_length_with_it() {
    // Command and options were 5 + 6 bytes of 12, the report adds 8.
    let report = report(OPTIONS | REMOVE, 24, b"0123456");
    assert_eq!((report.packet_length, report.rest), (14, b"6".to_vec()));
}

#[test]
fn a_header_that_is_added_again_is_as_long_as_it_was() {
    let report = report(OPTIONS | ADD_AGAIN, 24, b"0123456");
    assert_eq!((report.packet_length, report.rest), (20, b"\0\0\0\0\0\x006".to_vec()));
}

#[test]
fn a_checksum_covers_the_field_as_long_as_it_is() {
    // Words 0102 0304 0506 and 0102 0304.
    assert_eq!(report(OPTIONS, 24, &[1, 2, 3, 4, 5, 6]).checksum, !(0x0102 + 0x0304 + 0x0506));
    assert_eq!(report(OPTIONS, 8, &[1, 2, 3, 4]).checksum, !(0x0102 + 0x0304));
    assert_eq!(report(OPTIONS, 0, &[1, 2, 3]).checksum, !(0x0102 + 0x0300));
}

#[test]
fn any_width_can_be_looked_ahead_to() {
    let bytes: Vec<u8> = (1..=80).collect();
    assert_eq!(report(AHEAD | REPORT_AHEAD, 0, &bytes).value, 1);
    assert_eq!(report(AHEAD | REPORT_AHEAD, 0, &bytes[..75]).value, 1);
    assert_eq!(report(AHEAD, 0, &bytes[..74]).error, PACKET_TOO_SHORT);
}

#[test]
fn a_header_that_was_looked_ahead_to_can_be_emitted() {
    let bytes: Vec<u8> = (1..=80).collect();
    assert_eq!(rest(AHEAD_HEADER, 0, &bytes), frame(&[&bytes[..76], &bytes]));
    assert_eq!(report(AHEAD_HEADER, 0, &bytes[..75]).error, PACKET_TOO_SHORT);
}
