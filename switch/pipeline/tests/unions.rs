//! Header unions and stacks of them (`unions.p4`). BMv2 sends the same frames.

use crate::support::{frame, Switch};

// Which headers the parser extracts to the first union, and then.
const BYTE: u8 = 0;
const WORD: u8 = 1;
const MORE: u8 = 2;
const NONE: u8 = 3;
const THEN_BYTE: u8 = 1 << 2;
const THEN_SECOND: u8 = 2 << 2;

fn run(command: u8, kinds: u8, rest: &[u8]) -> Vec<u8> {
    let sent = Switch::load("unions").send(&frame(&[&[command, kinds], rest])).unwrap();
    assert_eq!(sent[0], command);
    sent[1..].to_vec()
}

/// The frame behind command and kinds.
fn rest(command: u8, kinds: u8, rest: &[u8]) -> Vec<u8> {
    run(command, kinds, rest)[1..].to_vec()
}

#[test]
fn one_header_of_a_union_is_extracted_and_emitted() {
    for kinds in [BYTE, WORD, MORE, NONE] {
        assert_eq!(rest(0, kinds, b"abcdef"), b"abcdef");
    }
}

#[test]
fn the_header_that_is_extracted_last_is_the_valid_one() {
    assert_eq!(rest(0, WORD | THEN_BYTE, b"abcdef"), b"cdef");
    assert_eq!(rest(0, BYTE | THEN_BYTE, b"abcdef"), b"bcdef");
}

#[test]
fn a_header_that_becomes_valid_makes_the_others_invalid() {
    for kinds in [BYTE, WORD, MORE] {
        let length = if kinds == BYTE { 1 } else { 2 };
        assert_eq!(rest(1, kinds, b"abcd"), frame(&[&[0xaa, 0xbb], &b"abcd"[length..]]));
    }
}

#[test]
fn a_header_that_becomes_invalid_leaves_the_others_as_they_are() {
    assert_eq!(rest(2, WORD, b"abcd"), b"cd");
    assert_eq!(rest(2, MORE, b"abcd"), b"abcd");
}

#[test]
fn a_union_is_valid_if_one_of_its_headers_is() {
    for kinds in [BYTE, WORD, MORE] {
        assert_eq!(run(7, kinds, b"abcd")[0], 0xf1);
    }
    assert_eq!(run(7, NONE, b"abcd")[0], 0xf0);
}

#[test]
fn an_element_of_a_stack_of_unions_is_asked_whether_it_is_valid() {
    let json = include_str!("programs/unions.json").split_whitespace().collect::<String>();
    let asked = json.replace(
        r#""right":{"type":"header_union","value":"first"}"#,
        // As p4c writes it. It ends BMv2.
        r#""right":{"type":"header","value":"list[0]"}"#,
    );
    assert_ne!(asked, json);
    for (tag, answer) in [(0x10, 0xf1), (0x30, 0xf0)] {
        let sent = Switch::of(asked.as_bytes()).send(&[7, BYTE, 0, tag, 0]).unwrap();
        assert_eq!(sent[1], answer);
    }
}

#[test]
fn a_transition_may_be_of_a_constant() {
    let json = include_str!("programs/unions.json").split_whitespace().collect::<String>();
    let key = r#""transition_key":[{"type":"field","value":["scalars","tmp"]}]"#;
    assert!(json.contains(key));
    // As p4c writes it for a parser that is called with a constant. BMv2 ends at it.
    for (constant, answer) in [("0x00", 0xf1), ("0x03", 0xf0)] {
        let constant = format!(r#""transition_key":[{{"type":"hexstr","value":"{constant}"}}]"#);
        let mut switch = Switch::of(json.replacen(key, &constant, 1).as_bytes());
        assert_eq!(switch.send(b"\x07\x0cabcd").unwrap()[1], answer);
    }
}

#[test]
fn an_assigned_union_has_the_header_of_its_source() {
    assert_eq!(rest(3, MORE, b"abcd"), b"ababcd");
    assert_eq!(rest(3, BYTE | THEN_SECOND, b"abcd"), b"aad");
    assert_eq!(rest(3, NONE, b"abcd"), b"abcd");
}

#[test]
fn an_assigned_header_makes_the_others_invalid_if_it_is_valid() {
    assert_eq!(rest(4, BYTE | THEN_SECOND, b"abcd"), b"aad");
    assert_eq!(rest(4, MORE | THEN_SECOND, b"abcd"), b"abcd");
}

#[test]
fn a_field_of_an_invalid_header_can_be_written_without_effect() {
    assert_eq!(rest(10, BYTE, b"abcd"), b"abcd");
}

#[test]
fn unions_are_extracted_to_a_stack() {
    for list in [&b"\x10\x10"[..], b"\x10\x20a", b"\x20a\x10", b"\x20a\x20b", b"\x10\x10\x10"] {
        assert_eq!(rest(0, BYTE, &frame(&[b"x", list, b"y"])), frame(&[b"x", list, b"y"]));
    }
}

#[test]
fn the_unions_of_a_stack_are_shifted() {
    // As in BMv2, the union that leaves at one end comes back at the other.
    assert_eq!(rest(5, BYTE, b"x\x10\x20a"), b"x\x20a\x10");
    assert_eq!(rest(6, BYTE, b"x\x10\x20a"), b"x\x20a\x10");
}

#[test]
fn the_unions_of_a_stack_are_assigned() {
    assert_eq!(rest(8, WORD, b"ab\x10\x20a"), b"abab\x20a");
    assert_eq!(rest(9, BYTE, b"x\x10\x20ay"), b"x\x10\xcc\xccy");
}
