//! Constants below zero, which the compiler writes with their sign (`below_zero.p4`).

use crate::support::{frame, Switch};
use pipeline::TableAction;

const TABLE: &str = "TestIngress.constant";
const MIN_WIDE: i128 = 1 - (1 << 71);

/// A frame with a choice of the table, a number for the parser and one for `switch`.
fn packet(choice: u8, state: i8, label: i128) -> Vec<u8> {
    frame(&[&[choice], &[0; 19], &[state as u8], &label.to_be_bytes()[7..], &[0xff]])
}

fn sent(switch: &mut Switch, packet: &[u8]) -> Vec<u8> {
    switch.send(packet).expect("the program forwards everything")
}

/// The three arguments, and which of them are below zero, as the packet has them afterwards.
fn arguments(switch: &mut Switch, choice: u8) -> (i8, i128, i64, u8) {
    let sent = sent(switch, &packet(choice, 0, 0));
    let mut wide = [if sent[2] & 0x80 == 0 { 0 } else { 0xff }; 16];
    wide[7..].copy_from_slice(&sent[2..11]);
    let whole = i64::from_be_bytes(sent[11..19].try_into().unwrap());
    (sent[1] as i8, i128::from_be_bytes(wide), whole, sent[19])
}

#[test]
fn entries_and_defaults_of_programs_have_negative_arguments() {
    let mut switch = Switch::load("below_zero");
    assert_eq!(arguments(&mut switch, 1), (-128, -2, -3, 0b111));
    assert_eq!(arguments(&mut switch, 2), (127, 7, 9, 0));
    assert_eq!(arguments(&mut switch, 0), (-1, MIN_WIDE, i64::MIN + 1, 0b111));
}

#[test]
fn a_negative_argument_is_read_in_the_bits_of_its_width() {
    let mut switch = Switch::load("below_zero");
    let default = switch.control().table_default(TABLE).unwrap().expect("the program gives one");
    let TableAction::Call(call) = default.action else { panic!("{:?}", default.action) };
    let mut wide = vec![0; 9];
    (wide[0], wide[8]) = (0x80, 1);
    let whole = vec![0x80, 0, 0, 0, 0, 0, 0, 1];
    assert_eq!(call.arguments, [vec![0xff], wide, whole]);
}

#[test]
fn parsers_select_numbers_below_zero() {
    let mut switch = Switch::load("below_zero");
    let states = [(1, -5, 1), (2, -5, 0), (7, -128, 2), (2, -49, 3), (2, -48, 0), (7, 127, 4)];
    for (choice, state, taken) in states {
        let sent = sent(&mut switch, &packet(choice, state, 0));
        assert_eq!(sent.last(), Some(&taken), "{choice} {state}");
    }
}

#[test]
fn switch_statements_have_labels_below_zero() {
    let mut switch = Switch::load("below_zero");
    for (label, taken) in [(-1, 0x10), (MIN_WIDE, 0x20), (5, 0x30), (1, 0), (-2, 0)] {
        let sent = sent(&mut switch, &packet(0, 0, label));
        assert_eq!(sent.last(), Some(&taken), "{label}");
    }
}
