//! The parser: selects, lookahead, errors, bounds (`parsing.p4`).

use crate::support::{frame, Switch};

const NO_ERROR: u32 = 0;
const PACKET_TOO_SHORT: u32 = 1;
const BAD_KIND: u32 = 2;
const PARSER_TIMEOUT: u32 = 3;
const INVALID_ARGUMENT: u32 = 4;

/// What the program reports about a frame.
#[derive(Debug, PartialEq, Eq)]
struct Report {
    error: u32,
    state: u8,
    ahead: u32,
    rest: Vec<u8>,
}

fn parse(bytes: &[u8]) -> Report {
    let mut switch = Switch::load("parsing");
    let sent = switch.send(bytes).expect("the program forwards everything");
    let word = |at: usize| u32::from_be_bytes(sent[at..at + 4].try_into().unwrap());
    assert_eq!(word(8), bytes.len() as u32, "packet_length");
    Report { error: word(0), state: sent[4], ahead: word(4) & 0xff_ffff, rest: sent[12..].to_vec() }
}

fn parsed(state: u8, rest: &[u8]) -> Report {
    Report { error: NO_ERROR, state, ahead: 0, rest: rest.to_vec() }
}

fn failed(error: u32, rest: &[u8]) -> Report {
    Report { error, state: 0, ahead: 0, rest: rest.to_vec() }
}

#[test]
fn what_the_parser_does_not_read_is_the_payload() {
    assert_eq!(parse(&[0, 1, 2, 3]), parsed(0, &[1, 2, 3]));
    assert_eq!(parse(&[0]), parsed(0, &[]));
}

#[test]
fn a_tuple_matches_if_all_its_fields_do() {
    assert_eq!(parse(&[1, 0xab, 0xcd, 9]), parsed(1, &[9]));
    assert_eq!(parse(&[1, 0x1f, 0xff, 9]), parsed(2, &[9]));
    assert_eq!(parse(&[1, 0xab, 0xc5, 9]), parsed(3, &[9]));
    assert_eq!(parse(&[1, 0xab, 0xce, 9]), parsed(0, &[9]));
}

#[test]
fn the_first_transition_that_matches_is_taken() {
    assert_eq!(parse(&[1, 0x1f, 0xf5, 9]), parsed(2, &[9]));
}

#[test]
fn masks_and_ranges_match_single_fields() {
    assert_eq!(parse(&[0x4f, 9]), parsed(6, &[9]));
    assert_eq!(parse(&[0x50, 9]), parsed(0, &[9]));
    for (kind, state) in [(99, 0), (100, 7), (101, 7), (102, 7), (103, 0)] {
        assert_eq!(parse(&[kind, 9]), parsed(state, &[9]), "{kind}");
    }
}

#[test]
fn looking_ahead_does_not_consume() {
    let expected = Report { ahead: 0x77_0102, ..parsed(4, &[2, 3]) };
    assert_eq!(parse(&[2, 0x77, 1, 2, 3]), expected);
    let expected = Report { ahead: 0x78_0102, ..parsed(0, &[0x78, 1, 2]) };
    assert_eq!(parse(&[2, 0x78, 1, 2]), expected);
    assert_eq!(parse(&[2, 0x77, 1]), failed(PACKET_TOO_SHORT, &[0x77, 1]));
}

#[test]
fn a_header_can_be_extracted_in_a_loop() {
    assert_eq!(parse(&[3, 2, 0xa, 0xb, 1, 0xc, 0, 9]), parsed(3, &[9]));
}

#[test]
fn a_loop_ends_with_the_packet() {
    let report = parse(&[3, 1, 0, 1, 0]);
    assert_eq!((report.error, report.state), (PACKET_TOO_SHORT, 2));
}

#[test]
fn a_loop_that_does_not_consume_ends_with_an_error() {
    assert_eq!(parse(&[0xfe, 9]), failed(PARSER_TIMEOUT, &[9]));
    let long = frame(&[&[3], &[1; 4000]]);
    assert_eq!(parse(&long).error, PARSER_TIMEOUT);
}

#[test]
fn the_state_in_which_the_parser_does_not_end_is_told_once() {
    let mut switch = Switch::load("parsing");
    for _ in 0..2 {
        switch.send(&[0xfe, 9]);
    }
    let [told] = &switch.notices()[..] else { panic!("not told once") };
    assert!(told.starts_with("the parser ended a packet in state "), "{told}");
    assert!(told.contains("1024 times") && !told.contains("state ,"), "{told}");
    switch.send(&[0, 1]);
    assert_eq!(switch.notices(), [""; 0]);
}

#[test]
fn only_whole_bytes_that_exist_can_be_skipped() {
    assert_eq!(parse(&[4, 16, 1, 2, 3]), parsed(0, &[3]));
    assert_eq!(parse(&[4, 12, 1, 2, 3]), failed(INVALID_ARGUMENT, &[1, 2, 3]));
    assert_eq!(parse(&[4, 32, 1, 2, 3]), failed(PACKET_TOO_SHORT, &[1, 2, 3]));
}

#[test]
fn a_failed_verification_keeps_what_was_read() {
    assert_eq!(parse(&[5, 10, 9]), parsed(5, &[9]));
    assert_eq!(parse(&[5, 9, 9]), failed(BAD_KIND, &[9]));
}

#[test]
fn a_header_that_does_not_fit_is_not_read_at_all() {
    assert_eq!(parse(&[]), failed(PACKET_TOO_SHORT, &[]));
    assert_eq!(parse(&[1, 0xab]), failed(PACKET_TOO_SHORT, &[0xab]));
}
