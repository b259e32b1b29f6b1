//! Tables: what they match, what they do, what the control plane may change (`matches.p4`).

use crate::support::{frame, modify, Switch};
use pipeline::{ActionCall, ControlError, CounterValue, Match, TableAction};

const EXACT_NARROW: &str = "TestIngress.exact_narrow";
const EXACT_WIDE: &str = "TestIngress.exact_wide";
const PREFIX: &str = "TestIngress.prefix";
const PREFIX_WIDE: &str = "TestIngress.prefix_wide";
const TERNARY_AND_PREFIX: &str = "TestIngress.ternary_and_prefix";
const RANGES: &str = "TestIngress.ranges";
const CONSTANT: &str = "TestIngress.constant";
const VALIDITY: &str = "TestIngress.validity";
const COUNTING: &str = "TestIngress.counting";
const BRANCHING: &str = "TestIngress.branching";
const SET: &str = "TestIngress.set";
const MISS: u8 = 0xff;

/// The fields that the tables match.
#[derive(Clone, Copy, Default)]
struct Fields {
    address: u32,
    wide: u128,
    port: u16,
    flags: u8,
    extra: bool,
}

/// What the table of that number writes into the packet.
fn result(switch: &mut Switch, choice: u8, fields: Fields) -> u8 {
    switch.send(&packet(choice, fields)).expect("the program forwards everything")[1]
}

fn packet(choice: u8, fields: Fields) -> Vec<u8> {
    frame(&[
        &[choice, 0],
        &fields.address.to_be_bytes(),
        &fields.wide.to_be_bytes(),
        &fields.port.to_be_bytes(),
        &[fields.flags << 1 | u8::from(fields.extra)],
        &[0x55; 9],
    ])
}

fn exact(bytes: &[u8]) -> Match {
    Match::Exact(bytes.to_vec())
}

fn lpm(bytes: &[u8], prefix_length: u32) -> Match {
    Match::Lpm { value: bytes.to_vec(), prefix_length }
}

fn range(low: u128, high: u128) -> Match {
    Match::Range { low: low.to_be_bytes().to_vec(), high: high.to_be_bytes().to_vec() }
}

/// An entry's action with these arguments.
fn call(name: &str, arguments: &[&[u8]]) -> TableAction {
    let arguments = arguments.iter().map(|argument| argument.to_vec()).collect();
    TableAction::Call(ActionCall { name: name.to_string(), arguments })
}

fn set(switch: &mut Switch, table: &str, key: &[Match], result: u8, priority: i32) {
    switch.control().table_insert(table, key, SET, &[vec![result]], priority).unwrap();
}

#[test]
fn an_exact_key_of_one_limb_matches_only_itself() {
    let mut switch = Switch::load("matches");
    set(&mut switch, EXACT_NARROW, &[exact(&[10, 0, 0, 1])], 7, 0);
    let with = |address| Fields { address, ..Fields::default() };
    assert_eq!(result(&mut switch, 0, with(0x0a00_0001)), 7);
    assert_eq!(result(&mut switch, 0, with(0x0a00_0002)), MISS);
}

#[test]
fn an_exact_key_of_many_limbs_matches_only_itself() {
    let mut switch = Switch::load("matches");
    set(&mut switch, EXACT_WIDE, &[exact(&[1; 16]), exact(&[2])], 7, 0);
    let wide = u128::from_be_bytes([1; 16]);
    assert_eq!(result(&mut switch, 1, Fields { wide, port: 2, ..Fields::default() }), 7);
    assert_eq!(result(&mut switch, 1, Fields { wide, port: 3, ..Fields::default() }), 0xee);
    let other = Fields { wide: wide ^ 1 << 100, port: 2, ..Fields::default() };
    assert_eq!(result(&mut switch, 1, other), 0xee);
}

#[test]
fn the_longest_prefix_wins_whatever_the_order_of_insertion() {
    let mut switch = Switch::load("matches");
    set(&mut switch, PREFIX, &[lpm(&[10, 1, 0, 0], 16)], 16, 0);
    set(&mut switch, PREFIX, &[Match::Any], 1, 0);
    set(&mut switch, PREFIX, &[lpm(&[10, 1, 2, 3], 32)], 32, 0);
    set(&mut switch, PREFIX, &[lpm(&[10, 0, 0, 0], 8)], 8, 0);
    let mut at = |address| result(&mut switch, 2, Fields { address, ..Fields::default() });
    assert_eq!(at(0x0a01_0203), 32);
    assert_eq!(at(0x0a01_0204), 16);
    assert_eq!(at(0x0a02_0000), 8);
    assert_eq!(at(0x0b00_0000), 1);
    switch.control().table_delete(PREFIX, &[lpm(&[10, 1, 0, 0], 16)], 0).unwrap();
    let address = 0x0a01_0204;
    assert_eq!(result(&mut switch, 2, Fields { address, ..Fields::default() }), 8);
}

/// BMv2 failed here until its pull request 1315.
#[test]
fn a_prefix_that_ends_within_a_byte_matches_by_its_bits_alone() {
    for (prefix, prefix_length, inside, outside) in [
        (0x4000_0000, 5, 0x407f_b141, 0x4800_0000),
        (0x4000_0000, 4, 0x4fff_ffff, 0x2000_0000),
        (0x4320_0000, 12, 0x432f_ffff, 0x4331_0000),
        (0x4321_8000, 17, 0x4321_ffff, 0x4321_7fff),
    ] {
        let mut switch = Switch::load("matches");
        let prefix = u32::to_be_bytes(prefix);
        set(&mut switch, PREFIX, &[Match::Any], 1, 0);
        set(&mut switch, PREFIX, &[lpm(&prefix, prefix_length)], 2, 0);
        let mut at = |address| result(&mut switch, 2, Fields { address, ..Fields::default() });
        assert_eq!((at(inside), at(outside)), (2, 1), "{prefix:?}/{prefix_length}");
    }
}

#[test]
fn prefixes_of_wide_fields_combine_with_exact_fields() {
    let mut switch = Switch::load("matches");
    let network = 0x2001_0db8_u128 << 96;
    let key = |length| {
        let value = network.to_be_bytes().to_vec();
        [exact(&[5]), Match::Lpm { value, prefix_length: length }]
    };
    set(&mut switch, PREFIX_WIDE, &key(32), 32, 0);
    set(&mut switch, PREFIX_WIDE, &key(100), 100, 0);
    let mut at = |port, wide| result(&mut switch, 3, Fields { port, wide, ..Fields::default() });
    assert_eq!(at(5, network | 1), 100);
    assert_eq!(at(5, network | 1 << 30), 32);
    assert_eq!(at(6, network | 1), MISS);
    assert_eq!(at(5, 1), MISS);
}

#[test]
fn the_larger_priority_wins_among_ternary_matches() {
    let mut switch = Switch::load("matches");
    let ternary = |value: u128, mask: u128| Match::Ternary {
        value: value.to_be_bytes().to_vec(),
        mask: mask.to_be_bytes().to_vec(),
    };
    let top = 1 << 127;
    set(&mut switch, TERNARY_AND_PREFIX, &[Match::Any, Match::Any, exact(&[1])], 1, 1);
    let key = [ternary(top, top), lpm(&[10, 0, 0, 0], 8), exact(&[1])];
    set(&mut switch, TERNARY_AND_PREFIX, &key, 9, 9);
    set(&mut switch, TERNARY_AND_PREFIX, &[ternary(top, top), Match::Any, exact(&[1])], 5, 5);
    let mut at = |wide, address, flags| {
        result(&mut switch, 4, Fields { wide, address, flags, ..Fields::default() })
    };
    assert_eq!(at(top | 77, 0x0a00_0001, 1), 9);
    assert_eq!(at(top | 77, 0x0b00_0001, 1), 5);
    assert_eq!(at(77, 0x0a00_0001, 1), 1);
    assert_eq!(at(top | 77, 0x0a00_0001, 2), MISS);
}

#[test]
fn ranges_include_both_ends_in_fields_of_any_width() {
    let mut switch = Switch::load("matches");
    let (low, high) = (1 << 70, (1 << 70) + (1 << 64) + 5);
    let optional = Match::Ternary { value: vec![1], mask: vec![0xff; 4] };
    set(&mut switch, RANGES, &[range(10, 20), range(low, high), optional], 7, 1);
    let mut at = |port, wide, address| {
        result(&mut switch, 5, Fields { port, wide, address, ..Fields::default() })
    };
    assert_eq!(at(10, low, 1), 7);
    assert_eq!(at(20, high, 1), 7);
    assert_eq!(at(9, low, 1), MISS);
    assert_eq!(at(21, low, 1), MISS);
    assert_eq!(at(10, low - 1, 1), MISS);
    assert_eq!(at(10, high + 1, 1), MISS);
    assert_eq!(at(10, low, 2), MISS);
}

#[test]
fn constant_entries_match_in_their_order_and_cannot_be_changed() {
    let mut switch = Switch::load("matches");
    let mut at = |port, flags| result(&mut switch, 6, Fields { port, flags, ..Fields::default() });
    assert_eq!(at(0x8001, 2), 1);
    assert_eq!(at(0x8001, 4), 2);
    assert_eq!(at(0x0001, 7), 3);
    assert_eq!(at(0x0001, 6), MISS);
    let mut control = switch.control();
    let entries = control.table_entries(CONSTANT).unwrap();
    let mut priorities: Vec<i32> = entries.iter().map(|entry| entry.priority).collect();
    priorities.sort_unstable();
    assert_eq!(priorities, [1, 2, 3]);
    let best = entries.iter().max_by_key(|entry| entry.priority).unwrap();
    assert_eq!(best.action, call(SET, &[&[1]]));
    let refused = control.table_delete(CONSTANT, &best.key, best.priority);
    assert!(matches!(refused, Err(ControlError::Constant { .. })));
    let refused = control.default_set(CONSTANT, &call(SET, &[&[1]]));
    assert!(matches!(refused, Err(ControlError::Constant { .. })));
}

#[test]
fn a_key_may_be_a_validity_or_a_masked_field() {
    let mut switch = Switch::load("matches");
    set(&mut switch, VALIDITY, &[exact(&[1]), exact(&[0x34])], 7, 0);
    let with = |address, extra| Fields { address, extra, ..Fields::default() };
    assert_eq!(result(&mut switch, 7, with(0x1234, true)), 7);
    assert_eq!(result(&mut switch, 7, with(0x1234, false)), MISS);
    assert_eq!(result(&mut switch, 7, with(0x1235, true)), MISS);
}

#[test]
fn bits_of_an_entry_that_the_mask_of_its_field_hides_do_not_count() {
    let mut switch = Switch::load("matches");
    let key = [exact(&[1]), exact(&[0xab, 0x34])];
    set(&mut switch, VALIDITY, &key, 7, 0);
    let fields = Fields { address: 0x1234, extra: true, ..Fields::default() };
    assert_eq!(result(&mut switch, 7, fields), 7);
    let same = [exact(&[1]), exact(&[0x34])];
    let refused = switch.control().table_insert(VALIDITY, &same, SET, &[vec![1]], 0);
    assert!(matches!(refused, Err(ControlError::AlreadyExists { .. })));
}

#[test]
fn a_direct_counter_counts_packets_and_their_received_bytes() {
    let mut switch = Switch::load("matches");
    let key = [exact(&[9])];
    let counted = "TestIngress.counted";
    switch.control().table_insert(COUNTING, &key, counted, &[vec![1]], 0).unwrap();
    let fields = Fields { port: 9, ..Fields::default() };
    let bytes = packet(8, fields).len() as u64;
    for _ in 0..3 {
        assert_eq!(result(&mut switch, 8, fields), 1);
    }
    result(&mut switch, 8, Fields::default());
    let mut control = switch.control();
    let expected = CounterValue { packets: 3, bytes: 3 * bytes };
    assert_eq!(control.table_entry(COUNTING, &key, 0).unwrap().counter, expected);
    let on_miss = control.table_default(COUNTING).unwrap().unwrap().counter;
    assert_eq!(on_miss, CounterValue { packets: 1, bytes });
    modify(&mut control, COUNTING, &key, call(counted, &[&[2]]));
    assert_eq!(control.table_entries(COUNTING).unwrap()[0].counter, expected);
    control.table_set_counter(COUNTING, &key, 0, CounterValue::default()).unwrap();
    assert_eq!(control.table_entries(COUNTING).unwrap()[0].counter, CounterValue::default());
}

#[test]
fn control_goes_on_where_the_action_says() {
    let mut switch = Switch::load("matches");
    set(&mut switch, BRANCHING, &[exact(&[1])], 10, 0);
    let other = "TestIngress.set_other";
    switch.control().table_insert(BRANCHING, &[exact(&[2])], other, &[vec![10]], 0).unwrap();
    let mut at = |port| result(&mut switch, 9, Fields { port, ..Fields::default() });
    assert_eq!(at(1), 11);
    assert_eq!(at(2), 12);
    assert_eq!(at(3), 0xdd);
}

#[test]
fn the_default_action_can_be_set_and_reset() {
    let mut switch = Switch::load("matches");
    switch.control().default_set(PREFIX, &call(SET, &[&[42]])).unwrap();
    assert_eq!(result(&mut switch, 2, Fields::default()), 42);
    let default = switch.control().table_default(PREFIX).unwrap().unwrap();
    assert_eq!(default.action, call(SET, &[&[42]]));
    switch.control().table_reset_default(PREFIX).unwrap();
    assert_eq!(result(&mut switch, 2, Fields::default()), MISS);
}

#[test]
fn arguments_may_be_wider_than_a_limb() {
    let mut switch = Switch::load("matches");
    let value: Vec<u8> = (1..=16).collect();
    let arguments = [value.clone()];
    let key = [exact(&[1])];
    let action = "TestIngress.copy_wide";
    switch.control().table_insert(EXACT_NARROW, &key, action, &arguments, 0).unwrap();
    let sent = switch.send(&packet(0, Fields { address: 1, ..Fields::default() })).unwrap();
    assert_eq!(sent[6..22], value);
    let entries = switch.control().table_entries(EXACT_NARROW).unwrap();
    assert_eq!(entries[0].action, call(action, &[&value]));
}

#[test]
fn entries_are_read_back_as_they_were_written() {
    let mut switch = Switch::load("matches");
    let key = [
        Match::Ternary { value: vec![1; 16], mask: vec![0xff; 16] },
        lpm(&[10, 0, 0, 0], 8),
        exact(&[3]),
    ];
    set(&mut switch, TERNARY_AND_PREFIX, &key, 4, 17);
    let entries = switch.control().table_entries(TERNARY_AND_PREFIX).unwrap();
    assert_eq!(entries.len(), 1);
    assert_eq!((&entries[0].key[..], entries[0].priority), (&key[..], 17));
    assert_eq!(entries[0].action, call(SET, &[&[4]]));
}

#[test]
fn a_table_holds_no_more_entries_than_its_size() {
    let mut switch = Switch::load("matches");
    for last in 0..4 {
        set(&mut switch, EXACT_NARROW, &[exact(&[last])], 1, 0);
    }
    let mut control = switch.control();
    let refused = control.table_insert(EXACT_NARROW, &[exact(&[9])], SET, &[vec![1]], 0);
    let object = format!("table {EXACT_NARROW}");
    assert_eq!(refused, Err(ControlError::Full { object, what: "entries", size: 4 }));
    let again = control.table_insert(EXACT_NARROW, &[exact(&[9])], SET, &[vec![1]], 0);
    assert_eq!(again, refused);
    let full = format!(
        "table {EXACT_NARROW}: full, it holds at most 4 entries; what comes on top is refused"
    );
    assert_eq!(switch.notices(), [full]);
    let mut control = switch.control();
    control.table_delete(EXACT_NARROW, &[exact(&[0])], 0).unwrap();
    control.table_insert(EXACT_NARROW, &[exact(&[9])], SET, &[vec![1]], 0).unwrap();
}

#[test]
fn requests_that_do_not_fit_are_refused_with_a_reason() {
    let mut switch = Switch::load("matches");
    set(&mut switch, PREFIX, &[lpm(&[10, 0, 0, 0], 8)], 1, 0);
    let mut control = switch.control();
    let mut refusal = |table: &str, key: &[Match], action: &str, value: &[u8], priority| {
        let refused = control.table_insert(table, key, action, &[value.to_vec()], priority);
        refused.expect_err("the request does not fit").to_string()
    };
    let any = [Match::Any];
    let one = [exact(&[1])];
    for (message, part) in [
        (
            refusal("TestIngress.no", &any, SET, &[1], 0),
            "no table 'TestIngress.no'; valid: TestIngress.exact_narrow",
        ),
        (refusal(PREFIX, &any, "other", &[1], 0), "no action 'other'; valid: TestIngress.set, "),
        (refusal(PREFIX, &[lpm(&[10, 0, 0, 0], 8)], SET, &[1], 0), "the entry exists already"),
        (refusal(PREFIX, &[lpm(&[10, 0, 0, 1], 8)], SET, &[1], 0), "bits where the mask has none"),
        (refusal(PREFIX, &[lpm(&[10, 0, 0, 0], 33)], SET, &[1], 0), "valid: 0 to 32"),
        (refusal(PREFIX, &one, SET, &[1], 0), "exact given; valid: lpm"),
        (refusal(PREFIX, &any, SET, &[1, 0], 0), "0x0100 does not fit 8 bits"),
        (refusal(PREFIX, &any, SET, &[1], 1), "valid: 0"),
        (refusal(PREFIX, &[], SET, &[1], 0), "a key of 0 fields"),
        (refusal(EXACT_NARROW, &any, SET, &[1], 0), "an exact field needs a value"),
        (refusal(EXACT_NARROW, &[exact(&[1; 5])], SET, &[1], 0), "does not fit 32 bits"),
        (refusal(RANGES, &[range(1, 2), range(3, 2), Match::Any], SET, &[1], 1), "low is above"),
        (refusal(RANGES, &[Match::Any, Match::Any, Match::Any], SET, &[1], 0), "1 and above"),
    ] {
        assert!(message.contains(part), "'{message}' does not contain '{part}'");
    }
    let missing = control.table_delete(PREFIX, &any, 0);
    let object = format!("table {PREFIX}");
    assert_eq!(missing, Err(ControlError::NotFound { object, what: "entry".to_string() }));
}

#[test]
fn tables_are_described_with_keys_and_actions() {
    let mut switch = Switch::load("matches");
    let tables = switch.control().tables();
    assert_eq!(tables.len(), 10);
    let table = tables.iter().find(|table| table.name == TERNARY_AND_PREFIX).unwrap();
    let widths: Vec<usize> = table.key.iter().map(|field| field.bitwidth).collect();
    assert_eq!(widths, [128, 32, 7]);
    assert!(table.needs_priority && !table.direct_counter && !table.constant_entries);
    let set = table.actions.iter().find(|action| action.name == SET).unwrap();
    assert_eq!((set.parameters[0].name.as_str(), set.parameters[0].bitwidth), ("result", 8));
}
