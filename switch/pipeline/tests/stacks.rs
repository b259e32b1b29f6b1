//! Header stacks (`stacks.p4`). BMv2 sends the same frames.

use crate::support::{frame, Switch};

const NO_ERROR: u8 = 0;
const STACK_OUT_OF_BOUNDS: u8 = 1;
const PACKET_TOO_SHORT: u8 = 2;

/// Items that are followed by others, and the last one.
const FIRST: [u8; 4] = [0x80, 1, 1, 1];
const SECOND: [u8; 4] = [0x82, 2, 2, 2];
const THIRD: [u8; 4] = [0x03, 3, 3, 3];
const ALL: [[u8; 4]; 3] = [FIRST, SECOND, THIRD];
/// A header that has become valid.
const EMPTY: [u8; 4] = [0; 4];

/// What the program reports, and the frame behind the command.
#[derive(Debug, PartialEq, Eq)]
struct Report {
    error: u8,
    value: u8,
    last_index: u32,
    rest: Vec<u8>,
}

fn report(command: u8, index: u8, rest: &[u8]) -> Report {
    let sent = Switch::load("stacks").send(&frame(&[&[command, index], rest])).unwrap();
    Report {
        error: sent[0],
        value: sent[1],
        last_index: u32::from_be_bytes(sent[2..6].try_into().unwrap()),
        rest: sent[8..].to_vec(),
    }
}

/// The items that leave, of three that arrive.
fn items(command: u8, index: u8) -> Vec<u8> {
    let report = report(command, index, &frame(&[&ALL.concat(), b"payload"]));
    assert_eq!(report.error, NO_ERROR);
    report.rest.strip_suffix(b"payload").expect("the payload stays").to_vec()
}

#[test]
fn a_loop_extracts_until_an_item_says_that_it_is_the_last() {
    let rest = frame(&[&FIRST, &THIRD, b"payload"]);
    let expected = Report { error: NO_ERROR, value: 3, last_index: 1, rest: rest.clone() };
    assert_eq!(report(0, 0, &rest), expected);
}

#[test]
fn an_item_too_many_is_out_of_bounds_and_stays_in_the_payload() {
    let rest = frame(&[&FIRST, &SECOND, &FIRST, &THIRD]);
    let report = report(0, 0, &rest);
    assert_eq!((report.error, report.value, report.last_index), (STACK_OUT_OF_BOUNDS, 0, 2));
    assert_eq!(report.rest, rest);
}

#[test]
fn half_an_item_is_not_extracted() {
    let report = report(0, 0, &frame(&[&FIRST, &[0x82, 2]]));
    assert_eq!((report.error, report.value, report.last_index), (PACKET_TOO_SHORT, 0, 0));
    assert_eq!(report.rest, frame(&[&FIRST, &[0x82, 2]]));
}

#[test]
fn an_empty_stack_has_no_last_element() {
    assert_eq!(report(0xf0, 0, &[]).error, STACK_OUT_OF_BOUNDS);
}

#[test]
fn pushing_moves_elements_back_and_drops_those_at_the_end() {
    assert_eq!(items(1, 0), [FIRST, SECOND].concat());
    assert_eq!(items(2, 0), [EMPTY, FIRST].concat());
    assert!(items(3, 0).is_empty());
}

#[test]
fn popping_moves_elements_to_the_front() {
    assert_eq!(items(4, 0), [SECOND, THIRD].concat());
    assert_eq!(items(5, 0), THIRD);
    assert!(items(6, 0).is_empty());
}

#[test]
fn a_copied_stack_is_independent_of_its_source() {
    assert_eq!(
        items(7, 0),
        [[0x80, 0xaa, 0xaa, 0xaa], SECOND, THIRD, FIRST, SECOND, THIRD].concat()
    );
}

#[test]
fn an_element_is_written_at_an_index() {
    for index in 0..3 {
        let mut expected = ALL;
        expected[usize::from(index)][1..].fill(0xbb);
        assert_eq!(items(8, index), expected.concat());
        expected[usize::from(index)][1..].copy_from_slice(&[0, 0, 5]);
        assert_eq!(items(14, index), expected.concat(), "by a primitive");
    }
}

#[test]
fn an_element_is_read_at_an_index() {
    for (index, item) in ALL.iter().enumerate() {
        assert_eq!(report(9, index as u8, &ALL.concat()).value, item[0]);
    }
    // items[1] = items[2] + 0x21
    assert_eq!(items(10, 0x21), [FIRST, [0x82, 3, 3, 0x24], THIRD].concat());
}

#[test]
fn nothing_is_written_out_of_bounds_and_0_is_read() {
    assert_eq!(items(8, 3), ALL.concat());
    assert_eq!(items(8, 0xff), ALL.concat());
    assert_eq!(items(14, 3), ALL.concat());
    assert_eq!(report(9, 3, &ALL.concat()).value, 0);
}

/// Their fields do not stand equally far apart then.
#[test]
fn a_stack_may_have_its_headers_in_any_order() {
    let mut program: serde_json::Value =
        serde_json::from_slice(include_bytes!("programs/stacks.json")).expect("JSON");
    program["header_stacks"][0]["header_ids"].as_array_mut().expect("ids").swap(1, 2);
    let mut switch = Switch::of(program.to_string().as_bytes());
    for index in 0..4 {
        let mut expected = ALL;
        if let Some(item) = expected.get_mut(usize::from(index)) {
            item[1..].fill(0xbb);
        }
        // The deparser goes by the names of headers.
        expected.swap(1, 2);
        let sent = switch.send(&frame(&[&[8, index], &ALL.concat()])).unwrap();
        assert_eq!(sent[8..], *expected.concat(), "{index}");
        let sent = switch.send(&frame(&[&[9, index], &ALL.concat()])).unwrap();
        assert_eq!(sent[1], ALL.get(usize::from(index)).map_or(0, |item| item[0]), "{index}");
    }
}

/// Machine code writes no elements where headers are many.
#[test]
fn elements_of_many_leave_like_those_of_few() {
    let mut program: serde_json::Value =
        serde_json::from_slice(include_bytes!("programs/stacks.json")).expect("JSON");
    let copies = ["copies[0]", "copies[1]", "copies[2]"].repeat(5);
    let order = [&["command", "items[0]", "items[1]", "items[2]"], &copies[..]].concat();
    program["deparsers"][0]["order"] = serde_json::json!(order);
    let mut switch = Switch::of(program.to_string().as_bytes());
    for (arrives, leaves) in [
        (&b"\xf1\x00x"[..], b"\xf1\x00x".to_vec()),
        (b"\x02\x00", frame(&[b"\x02\x00", &EMPTY])),
        (b"\x00\x00\x01aaax", b"\x00\x00\x01aaax".to_vec()),
        (b"\x07\x00\x01aaax", frame(&[b"\x07\x00\x01\xaa\xaa\xaa", &b"\x01aaa".repeat(5), b"x"])),
    ] {
        assert_eq!(switch.send(arrives).unwrap(), leaves);
    }
}

#[test]
fn an_assigned_header_is_as_valid_as_its_source() {
    assert_eq!(items(11, 0), [FIRST, FIRST, THIRD].concat());
    assert_eq!(report(12, 0, &[0x80, 1, 1, 1, 0x01, 2, 2, 2]).rest, [0x01, 2, 2, 2]);
}

#[test]
fn headers_are_equal_if_all_their_fields_are() {
    assert_eq!(report(13, 0, &[FIRST, FIRST, THIRD].concat()).value, 1);
    assert_eq!(report(13, 0, &[FIRST, [0x80, 1, 1, 2], THIRD].concat()).value, 0);
    assert_eq!(report(13, 0, &THIRD).value, 0);
}

#[test]
fn the_last_element_can_be_assigned_as_a_whole() {
    let mut switch = Switch::load("last_element");
    assert_eq!(switch.send(b"\x00ax").unwrap(), b"\x00a\x00ax");
    assert_eq!(switch.send(b"\x01a\x00bx").unwrap(), b"\x00b\x01a\x00bx");
    // The fourth item is out of bounds: nothing is assigned.
    assert_eq!(switch.send(b"\x01a\x01b\x01c\x00d").unwrap(), b"\x01a\x01b\x01c\x00d");
}

#[test]
fn what_a_packet_leaves_in_elements_the_next_one_does_not_find() {
    let mut switch = Switch::load("stacks");
    let mut rest_of = |command, index, items: &[[u8; 4]]| {
        let sent = switch.send(&frame(&[&[command, index], &items.concat()])).unwrap();
        sent[8..].to_vec()
    };
    // The value of the third item and the index, into the first one.
    let third_into_first = |rest: Vec<u8>| rest[1..4].to_vec();
    assert_eq!(third_into_first(rest_of(10, 0x20, &ALL)), [3, 3, 0x23]);
    assert_eq!(third_into_first(rest_of(10, 0x20, &[THIRD])), [0, 0, 0x20]);
    // Written though it is not valid.
    rest_of(8, 2, &[THIRD]);
    assert_eq!(third_into_first(rest_of(10, 0x20, &[THIRD])), [0, 0, 0x20]);
    rest_of(2, 0, &ALL);
    assert_eq!(third_into_first(rest_of(10, 0x20, &[THIRD])), [0, 0, 0x20]);
    rest_of(14, 2, &[THIRD]);
    assert_eq!(rest_of(0, 0, &[THIRD]), THIRD);
    assert_eq!(third_into_first(rest_of(10, 0x20, &[THIRD])), [0, 0, 0x20]);
}
