//! Tables see fields of invalid headers as 0 (`invalid_keys.p4`).

use crate::support::Switch;
use pipeline::Match;

/// The headers that packets bring, by the packet's choice.
const INVALID_BUT_WRITTEN: u8 = 0;
const VALID: u8 = 1;
const REMOVED: u8 = 2;

fn exact(value: u8) -> Match {
    Match::Exact(vec![value])
}

/// What the tables find, when only one of them has entries: for 0 and for 7.
fn found(table: &str, key: impl Fn(u8) -> Vec<Match>, priority: i32, choice: u8) -> u8 {
    let mut switch = Switch::load("invalid_keys");
    for value in [0, 7] {
        let arguments = [vec![0x10 + value]];
        let (table, action) = (format!("TestIngress.{table}"), "TestIngress.found");
        let mut control = switch.control();
        control.table_insert(&table, &key(value), action, &arguments, priority).unwrap();
    }
    let mut sent = vec![choice, 0xff, 7];
    sent.extend(7_u128.to_be_bytes());
    switch.send(&sent).unwrap()[1]
}

#[test]
fn keys_of_every_kind_are_0_while_their_header_is_invalid() {
    for (choice, value) in [(INVALID_BUT_WRITTEN, 0x10), (VALID, 0x17), (REMOVED, 0x10)] {
        let valid = u8::from(choice == VALID);
        let range = |value: u8| vec![Match::Range { low: vec![value], high: vec![value + 1] }];
        let mask =
            |value: u8| vec![exact(valid), Match::Ternary { value: vec![value], mask: vec![0xff] }];
        assert_eq!(found("exact_values", |value| vec![exact(value)], 0, choice), value);
        assert_eq!(found("wide_values", |value| vec![exact(value); 2], 0, choice), value);
        assert_eq!(found("ranges", range, 1, choice), value);
        assert_eq!(found("masks", mask, 1, choice), value);
    }
}
