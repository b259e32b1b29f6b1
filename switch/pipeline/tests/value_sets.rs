//! Parser value sets (`value_sets.p4`).

use crate::support::{frame, Switch};
use pipeline::Match;

const KINDS: &str = "Parse.kinds";
const PAIRS: &str = "Parse.pairs";
const KNOWN: u8 = 1;
const UNKNOWN: u8 = 2;
const PAIR: u8 = 3;
const SEVEN: u8 = 4;

fn exact(value: &[u8]) -> Match {
    Match::Exact(value.to_vec())
}

fn range(low: u8, high: u8) -> Match {
    Match::Range { low: vec![low], high: vec![high] }
}

/// What the parser finds the packet to be.
fn found(switch: &mut Switch, kind: u8, port: u16, address: u128, ingress_port: u16) -> u8 {
    let sent = frame(&[&[kind], &port.to_be_bytes(), &address.to_be_bytes(), &[0xff]]);
    let port = switch.ingress(&sent, ingress_port, 0).expect("the packet is forwarded");
    switch.egress(port, 0, Default::default()).unwrap()[19]
}

#[test]
fn a_value_set_is_empty_until_it_is_written() {
    let mut switch = Switch::load("value_sets");
    assert_eq!(found(&mut switch, 5, 0, 0, 0), UNKNOWN);
    let members = vec![vec![exact(&[5])], vec![exact(&[6])]];
    switch.control().value_set_write(KINDS, &members).unwrap();
    assert_eq!(switch.control().value_set_read(KINDS), Ok(members));
    assert_eq!(found(&mut switch, 5, 0, 0, 0), KNOWN);
    assert_eq!(found(&mut switch, 6, 0, 0, 0), KNOWN);
    assert_eq!(found(&mut switch, 7, 0, 0, 0), UNKNOWN);
    switch.control().value_set_write(KINDS, &[vec![exact(&[7])]]).unwrap();
    assert_eq!(found(&mut switch, 5, 0, 0, 0), UNKNOWN);
    assert_eq!(found(&mut switch, 7, 0, 0, 0), KNOWN);
}

#[test]
fn transitions_are_tried_in_their_order() {
    let mut switch = Switch::load("value_sets");
    switch.control().value_set_write(KINDS, &[vec![exact(&[0])]]).unwrap();
    assert_eq!(found(&mut switch, 0, 0, 0, 0), 0);
    assert_eq!(found(&mut switch, 1, 7, 0, 0), SEVEN);
    let sevens = [vec![exact(&[7]), Match::Any, Match::Any]];
    switch.control().value_set_write(PAIRS, &sevens).unwrap();
    assert_eq!(found(&mut switch, 1, 7, 0, 0), PAIR);
}

#[test]
fn all_fields_of_a_member_must_match() {
    let mut switch = Switch::load("value_sets");
    let address = 0x2001_0db8_0000_0000_0000_0000_0000_0001_u128;
    let prefix = Match::Lpm { value: address.to_be_bytes()[..8].to_vec(), prefix_length: 64 };
    let high_half = match prefix {
        Match::Lpm { value, prefix_length } => {
            Match::Lpm { value: [value, vec![0; 8]].concat(), prefix_length }
        }
        other => other,
    };
    let masked = Match::Ternary { value: vec![0x12, 0x00], mask: vec![0xff, 0x00] };
    let members =
        [vec![masked, high_half, range(3, 5)], vec![exact(&[9]), exact(&[8]), exact(&[1, 0])]];
    switch.control().value_set_write(PAIRS, &members).unwrap();
    assert_eq!(found(&mut switch, 1, 0x1234, address, 4), PAIR);
    assert_eq!(found(&mut switch, 1, 0x1334, address, 4), UNKNOWN);
    assert_eq!(found(&mut switch, 1, 0x1234, address ^ 1 << 64, 4), UNKNOWN);
    assert_eq!(found(&mut switch, 1, 0x1234, address, 6), UNKNOWN);
    assert_eq!(found(&mut switch, 1, 9, 8, 256), PAIR);
    assert_eq!(found(&mut switch, 1, 9, 8, 0), UNKNOWN);
}

#[test]
fn members_that_do_not_fit_are_refused() {
    let mut switch = Switch::load("value_sets");
    let mut control = switch.control();
    for (members, reason) in [
        (vec![vec![exact(&[1])]], "a member of 1 fields; valid: 3"),
        (vec![vec![Match::Any, Match::Any, exact(&[2, 0])]], "value 0x0200 does not fit 9 bits"),
        (vec![vec![Match::Any, Match::Any, range(2, 1)]], "the range is empty"),
        (vec![vec![Match::Any; 3]; 3], "3 members; valid: up to 2"),
    ] {
        let refused = control.value_set_write(PAIRS, &members).unwrap_err().to_string();
        assert!(refused.contains(reason), "'{refused}' lacks '{reason}'");
    }
    assert_eq!(control.value_set_read(PAIRS), Ok(vec![]));
    assert!(control.value_set_read("pairs").is_err());
}
