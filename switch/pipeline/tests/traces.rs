//! What traces tell of packets, compared with golden files (`traced.p4`).
//!
//! After a change that is meant: UPDATE_TRACES=1 cargo test -p pipeline --test all traces

use crate::support::hashes::internet_checksum;
use crate::support::{frame, Switch};
use pipeline::{ActionCall, GroupMember, Match, NewEntry, TableAction};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/traces");
const SELECTOR: &str = "TestIngress.shared";
const STATION: [u8; 6] = [2, 0, 0, 0, 0, 2];
const OTHER: [u8; 6] = [2, 0, 0, 0, 0, 3];
const IPV4: [u8; 8] = [0x45, 0xff, 0, 20, 10, 1, 2, 3];

/// A switch with entries in all tables, which is watched.
fn switch() -> Switch {
    let mut switch = Switch::load("traced");
    let mut insert = |table: &str, key: &[Match], action: &str, arguments: &[Vec<u8>], priority| {
        let (table, action) = (format!("TestIngress.{table}"), format!("TestIngress.{action}"));
        switch.control().table_insert(&table, key, &action, arguments, priority).unwrap();
    };
    insert("stations", &[Match::Exact(STATION.to_vec())], "forward", &[vec![3]], 0);
    let prefix = Match::Lpm { value: vec![10, 1, 0, 0], prefix_length: 16 };
    insert("routes", &[prefix], "route", &[vec![10, 9, 9, 9], vec![2]], 0);
    let vendor = Match::Ternary { value: vec![4, 0, 0, 0, 0, 0], mask: vec![255, 0, 0, 0, 0, 0] };
    let ports = Match::Range { low: vec![2], high: vec![5] };
    insert("filter", &[vendor, ports], "drop", &[], 9);
    switch
}

/// Sends frames and compares what is told of them with the golden text and JSON lines.
fn check(name: &str, frames: &[Vec<u8>]) {
    check_on(switch(), name, frames);
}

fn check_on(mut switch: Switch, name: &str, frames: &[Vec<u8>]) {
    switch.set_tracing(true);
    let (mut text, mut json) = (String::new(), String::new());
    for frame in frames {
        switch.send(frame);
        for event in switch.take_trace() {
            text += &format!("{event}\n");
            json += &(serde_json::to_string(&event).unwrap() + "\n");
        }
    }
    compare(&format!("{GOLDEN}/{name}.txt"), &text);
    compare(&format!("{GOLDEN}/{name}.jsonl"), &json);
}

fn compare(path: &str, actual: &str) {
    if std::env::var_os("UPDATE_TRACES").is_some() {
        std::fs::write(path, actual).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        actual == expected,
        "{path} differs from:\n{actual}\n\
         If that is right: UPDATE_TRACES=1 cargo test -p pipeline --test all traces"
    );
}

#[test]
fn a_routed_packet() {
    check("routed", &[frame(&[&OTHER, &STATION, &[0x08, 0x00], &IPV4])]);
}

#[test]
fn a_switched_packet_that_egress_drops() {
    check("switched", &[frame(&[&STATION, &OTHER, &[0x81, 0x00, 0, 1, 0x86, 0xdd]])]);
}

#[test]
fn an_unknown_packet_that_a_filter_drops() {
    check("filtered", &[frame(&[&OTHER, &[4, 0, 0, 0, 0, 1], &[0x86, 0xdd]])]);
}

#[test]
fn parser_errors() {
    let too_short = frame(&[&OTHER, &STATION, &[0x08, 0x00], &IPV4[..7]]);
    let bad_version = frame(&[&OTHER, &STATION, &[0x08, 0x00, 0x65], &IPV4[1..]]);
    check("parser_errors", &[too_short, bad_version]);
}

#[test]
fn checksums_that_are_right_wrong_and_updated() {
    let (rest, payload) = ([7, 8], [1, 2, 3]);
    let sum = internet_checksum(&frame(&[&[1], &rest, &[0x5a], &payload]));
    let packet = |sum: u16| frame(&[&[1], &sum.to_be_bytes(), &[0xff], &rest, &payload]);
    let update = frame(&[&[4, 0, 0, 0xff], &rest, &payload]);
    let packets = [packet(sum), packet(sum ^ 1), update];
    check_on(Switch::load("checksums"), "checksums", &packets);
}

#[test]
fn the_action_that_a_selector_chooses() {
    let mut switch = Switch::load("profiles");
    let mut control = switch.control();
    let set =
        |value| ActionCall { name: "TestIngress.set".to_string(), arguments: vec![vec![value]] };
    for id in [1, 2] {
        control.profile_member_insert(SELECTOR, id, &set(0x10 + id as u8)).unwrap();
    }
    let member = |member_id| GroupMember { member_id, weight: 1, watch_port: None };
    control.profile_group_insert(SELECTOR, 7, 0, &[member(1), member(2)]).unwrap();
    let entry = NewEntry {
        key: vec![Match::Exact(vec![5])],
        priority: 0,
        action: TableAction::Group(7),
        idle_timeout_ns: 0,
        metadata: Box::default(),
    };
    control.entry_insert("TestIngress.first", &entry).unwrap();
    // Choice, key, two bytes of the flow and the rest.
    let flow = |flow| vec![1, 5, 0, flow, 0, 0, 0, 0, 0x55];
    check_on(switch, "selector", &[flow(0), flow(1)]);
}

#[test]
fn meters_digests_and_logs() {
    let metered = frame(&[&[0], &1_u32.to_be_bytes(), &[0xee]]);
    check_on(Switch::load("meters"), "meters", &[metered]);
    check_on(Switch::load("digests"), "digests", &[frame(&[&[1, 1, 2, 3, 4, 5, 6, 7]])]);
    check_on(Switch::load("logs"), "logs", &[frame(&[&[1, 0xff, 0xfe], &[0; 16]])]);
}

#[test]
fn fields_of_variable_length() {
    let options = frame(&[&[0], &16_u32.to_be_bytes(), &[0xab, 0xcd, 1, 2, 3, 4]]);
    check_on(Switch::load("varbits"), "varbits", &[options]);
}

#[test]
fn nothing_is_told_unless_somebody_watches() {
    let mut switch = switch();
    switch.set_tracing(false);
    switch.send(&frame(&[&OTHER, &STATION, &[0x08, 0x00], &IPV4]));
    assert!(switch.take_trace().is_empty());
}
