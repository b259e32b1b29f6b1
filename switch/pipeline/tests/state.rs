//! Registers, counters, hashes, random numbers and the ends of control flow (`state.p4`).

use crate::support::{frame, Switch};
use pipeline::{BigUint, ControlError, CounterValue};

const NARROW: &str = "TestIngress.narrow";
const WORD: &str = "TestIngress.word";
const WIDE: &str = "TestIngress.wide";
const SEEN: &str = "TestIngress.seen";

fn packet(choice: u8, index: u32, value: u128) -> Vec<u8> {
    frame(&[&[choice], &index.to_be_bytes(), &value.to_be_bytes()])
}

fn number(value: u32) -> BigUint {
    value.into()
}

/// The value in the packet afterwards.
fn run(switch: &mut Switch, choice: u8, index: u32, value: u128) -> u128 {
    let sent = switch.send(&packet(choice, index, value)).expect("the packet is forwarded");
    u128::from_be_bytes(sent[5..21].try_into().unwrap())
}

#[test]
fn registers_keep_values_of_their_width() {
    let mut switch = Switch::load("state");
    assert_eq!(run(&mut switch, 0, 1, 0xfff), 0);
    assert_eq!(run(&mut switch, 0, 1, 3), 0x1ff);
    assert_eq!(run(&mut switch, 0, 2, 3), 0);
    assert_eq!(run(&mut switch, 1, 0, u128::from(u64::MAX)), 0);
    assert_eq!(run(&mut switch, 1, 0, 2), u128::from(u64::MAX));
    assert_eq!(run(&mut switch, 1, 0, 0), 1);
    assert_eq!(run(&mut switch, 2, 1, u128::MAX - 5), 0);
    assert_eq!(run(&mut switch, 2, 1, 0), u128::MAX - 5);
}

#[test]
fn a_signed_value_loses_its_sign_in_a_register() {
    let mut switch = Switch::load("state");
    assert_eq!(run(&mut switch, 3, 0, 0x80), 0x80);
    assert_eq!(run(&mut switch, 3, 0, 0x7f), 0x7f);
}

#[test]
fn registers_can_be_wider_than_any_number_of_the_language() {
    const VERY_WIDE: &str = "TestIngress.very_wide";
    let mut switch = Switch::load("state");
    assert_eq!(run(&mut switch, 11, 1, u128::MAX - 7), 0);
    assert_eq!(run(&mut switch, 11, 1, 3), u128::MAX - 7);
    // The lower 72 bits are bits 127 to 56 of what was there before.
    let expected = (number(3) << 72_u32) + (((number(1) << 56_u32) - number(8)) << 16_u32);
    assert_eq!(switch.control().register_read(VERY_WIDE, 1), Ok(expected));
    let largest = (number(1) << 200_u32) - number(1);
    switch.control().register_write(VERY_WIDE, 0, largest.clone()).unwrap();
    assert_eq!(switch.control().register_read(VERY_WIDE, 0), Ok(largest.clone()));
    assert_eq!(run(&mut switch, 11, 0, 0), u128::MAX);
    assert!(switch.control().register_write(VERY_WIDE, 0, largest + number(1)).is_err());
}

#[test]
fn an_index_out_of_bounds_changes_nothing() {
    let mut switch = Switch::load("state");
    assert_eq!(run(&mut switch, 0, 3, 5), 0);
    assert_eq!(run(&mut switch, 2, u32::MAX, 5), 0);
    let control = switch.control();
    for register in control.registers() {
        for index in 0..register.size {
            assert_eq!(control.register_read(&register.name, index), Ok(number(0)));
        }
    }
}

#[test]
fn the_control_plane_and_packets_see_the_same_registers() {
    let mut switch = Switch::load("state");
    switch.control().registers_write(&[(WORD, 2, 77), (WIDE, 0, u128::MAX)]).unwrap();
    assert_eq!(run(&mut switch, 1, 2, 3), 77);
    assert_eq!(run(&mut switch, 2, 0, 4), u128::MAX);
    assert_eq!(
        switch.control().registers_read(&[(WORD, 2), (WIDE, 0)]),
        Ok(vec![number(80), number(4)])
    );
}

#[test]
fn several_registers_are_written_all_or_none() {
    let mut switch = Switch::load("state");
    let mut control = switch.control();
    let refused = control.registers_write(&[(WORD, 0, 1_u32), (NARROW, 0, 0x200)]);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "register TestIngress.narrow: 512 does not fit 9 bits"
    );
    let refused = control.registers_write(&[(WORD, 0, 1_u32), (WORD, 4, 1)]);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "register TestIngress.word: index 4 is out of bounds; valid: 0 to 3"
    );
    assert_eq!(control.register_read(WORD, 0), Ok(number(0)));
    let refused = control.register_read("word", 0);
    assert!(matches!(refused, Err(ControlError::UnknownObject { .. })));
}

#[test]
fn counters_count_packets_and_received_bytes() {
    let mut switch = Switch::load("state");
    for index in [1, 1, 2, 3] {
        run(&mut switch, 9, index, 0);
    }
    let mut control = switch.control();
    let seen = [CounterValue::default(), CounterValue { packets: 2, bytes: 42 }];
    assert_eq!(control.counter_cells(SEEN).unwrap()[..2], seen);
    let value = CounterValue { packets: u64::MAX, bytes: 0 };
    control.counter_fill(SEEN, 0..1, value).unwrap();
    assert_eq!(control.counter_cells(SEEN).unwrap()[0], value);
    assert!(control.counter_fill(SEEN, 3..4, value).is_err());
}

#[test]
fn hashes_are_those_of_the_catalogues() {
    let mut switch = Switch::load("state");
    // "123456789"; the zero bytes before it do not change a CRC-16 whose initial value is 0.
    let check = 0x31_3233_3435_3637_3839;
    assert_eq!(run(&mut switch, 4, 0, check), 0xbb3d);
    // CRC-32 of twenty zero bytes, modulo 100, plus 10.
    assert_eq!(run(&mut switch, 5, 0, 0), 10 + 0x0fd5_9b8d % 100);
    assert_eq!(run(&mut switch, 6, 0, 0x0001_0002_0000_0000_0000_0000_0000_1000), 0x1003);
}

#[test]
fn random_numbers_keep_to_their_bounds() {
    let mut switch = Switch::load("state");
    let mut seen = [false; 4];
    for _ in 0..200 {
        seen[usize::try_from(run(&mut switch, 7, 0, 0) - 100).unwrap()] = true;
    }
    assert_eq!(seen, [true; 4]);
}

#[test]
fn a_failed_assertion_drops_the_packet() {
    let mut switch = Switch::load("state");
    assert_eq!(run(&mut switch, 8, 1, 0), 1);
    assert_eq!(switch.send(&packet(8, 2, 0)), None);
}

#[test]
fn exit_ends_ingress_but_not_egress() {
    let mut switch = Switch::load("state");
    let ended = switch.send(&packet(9, 1, 0)).unwrap();
    assert_eq!((ended[0], ended[20]), (9, 1));
    let finished = switch.send(&packet(9, 2, 0)).unwrap();
    assert_eq!((finished[0], finished[20]), (0xaa, 2));
}

#[test]
fn both_pipelines_can_drop() {
    let mut switch = Switch::load("state");
    assert_eq!(switch.ingress(&packet(10, 0, 0), 1, 0), None);
    assert_eq!(switch.ingress(&packet(9, 0xdead, 0), 1, 0), Some(1));
    assert_eq!(switch.egress(1, 0, Default::default()), None);
}

#[test]
fn a_dropped_packet_leaves_nothing_behind() {
    let mut switch = Switch::load("state");
    switch.send(&packet(10, 1, u128::MAX));
    // Too short for its header: every field reads 0.
    assert_eq!(switch.send(&[2, 0]), Some(vec![2, 0]));
    assert_eq!(switch.control().counter_cells(SEEN).unwrap()[0].packets, 1);
}
