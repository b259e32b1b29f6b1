//! The ABS program on the switch in virtual time.

use std::num::NonZeroU64;
use std::path::Path;
use std::time::Duration;

use engine::{Departure, PortConfig, Switch, SwitchError};
use pipeline::{Match, Pipeline};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const CPU_PORT: u16 = 510;
const RATE_BPS: u64 = 8_000_000; // one byte per microsecond
const FRAME_BYTES: usize = 1_000;
const SERIALIZATION_NS: u64 = 1_000_000; // of one frame
const MS: u64 = 1_000_000;
const S: u64 = 1_000_000_000;

fn program(name: &str) -> Vec<u8> {
    let builds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4src/build");
    std::fs::read(builds.join(name)).expect("compiled products are checked in")
}

fn station(port: u16) -> [u8; 6] {
    [2, 0, 0, 0, 0, port as u8]
}

/// A frame for the station behind `port`, of a protocol that the program does not parse.
fn frame(port: u16, length_bytes: usize) -> Vec<u8> {
    let mut frame = [&station(port)[..], &[2, 0, 0, 0, 0, 9, 0x88, 0xb5]].concat();
    frame.resize(length_bytes, 0);
    frame
}

fn bottleneck(memory_bytes: Option<u64>) -> PortConfig {
    PortConfig { rate_bps: NonZeroU64::new(RATE_BPS), memory_bytes, ..PortConfig::new(2) }
}

/// A switch with the program loaded and a station behind ports 1 and 2.
fn switch(bottleneck: PortConfig) -> Switch {
    switch_with("queue.json", bottleneck)
}

fn switch_with(name: &str, bottleneck: PortConfig) -> Switch {
    let mut switch = Switch::new(vec![PortConfig::new(1), bottleneck], Some(CPU_PORT)).unwrap();
    switch.replace(Pipeline::load(&program(name)).unwrap());
    add_stations(&mut switch);
    switch
}

fn add_stations(switch: &mut Switch) {
    for port in [1, 2] {
        let key = [Match::Exact(station(port).to_vec())];
        let argument = [port.to_be_bytes().to_vec()];
        let (table, action) =
            ("AbsIngress.forwarding.ethernet_forward", "AbsIngress.forwarding.forward");
        switch.control().unwrap().table_insert(table, &key, action, &argument, 0).unwrap();
    }
}

fn register(switch: &mut Switch, name: &str) -> u128 {
    switch.control().unwrap().register_read(name, 2).unwrap().try_into().unwrap()
}

fn set_limit(switch: &mut Switch, limit_bytes: u128) {
    let mut control = switch.control().unwrap();
    control.register_write("queue_limit_bytes", 2, limit_bytes).unwrap();
}

fn inject(switch: &mut Switch, frames: usize, length_bytes: usize, at_ns: u64) {
    for _ in 0..frames {
        switch.inject(1, frame(2, length_bytes), at_ns).unwrap();
    }
}

/// Runs until `until_ns`; returns when frames left.
fn run(switch: &mut Switch, until_ns: u64) -> Vec<u64> {
    let mut departures = Vec::new();
    switch.run_until(until_ns).unwrap();
    switch.take_departures(&mut departures);
    let instants = departures.iter().map(|departure: &Departure| departure.at_ns).collect();
    switch.recycle(&mut departures);
    instants
}

#[test]
fn a_frame_that_reaches_the_limit_is_admitted_and_one_byte_more_is_not() {
    for (limit_bytes, admitted) in [(2_999, 3), (3_000, 4), (3_001, 4)] {
        let mut switch = switch(bottleneck(None));
        set_limit(&mut switch, limit_bytes);
        // The first frame departs at once, the limit is for those behind it.
        inject(&mut switch, 5, FRAME_BYTES, 0);
        let left = run(&mut switch, S);
        let expected: Vec<u64> = (1..=admitted).map(|n| n * SERIALIZATION_NS).collect();
        assert_eq!(left, expected, "limit {limit_bytes}");
        assert_eq!(register(&mut switch, "admitted_bytes"), u128::from(admitted) * 1_000);
        assert_eq!(register(&mut switch, "dropped_bytes"), u128::from(5 - admitted) * 1_000);
    }
}

#[test]
fn a_drained_queue_has_departed_what_it_admitted_stamped_with_the_last_dequeue() {
    let mut switch = switch(bottleneck(None));
    inject(&mut switch, 10, FRAME_BYTES, 7_000);
    run(&mut switch, 5 * MS);
    assert_eq!(register(&mut switch, "admitted_bytes"), 10_000);
    assert_eq!(register(&mut switch, "departed_bytes"), 5_000);
    run(&mut switch, S);
    assert_eq!(register(&mut switch, "departed_bytes"), 10_000);
    assert_eq!(register(&mut switch, "departed_at_us"), 7 + 9_000);
}

#[test]
fn bytes_lost_in_a_full_memory_block_the_port_for_a_second_only() {
    let mut switch = switch(bottleneck(Some(1_000)));
    inject(&mut switch, 3, FRAME_BYTES, 0);
    run(&mut switch, 100 * MS);
    assert_eq!(switch.port_statistics(2).unwrap().memory_dropped.packets, 1);
    set_limit(&mut switch, 1_500);
    inject(&mut switch, 1, FRAME_BYTES, S);
    assert!(run(&mut switch, S + 2 * MS).is_empty());
    inject(&mut switch, 1, FRAME_BYTES, S + 3 * MS);
    assert_eq!(run(&mut switch, 2 * S), [S + 4 * MS]);
}

#[test]
fn a_departure_repairs_what_a_full_memory_lost() {
    let mut switch = switch(bottleneck(Some(1_000)));
    inject(&mut switch, 5, FRAME_BYTES, 0);
    inject(&mut switch, 1, FRAME_BYTES, 10 * MS);
    run(&mut switch, S);
    assert_eq!(register(&mut switch, "admitted_bytes"), 6_000);
    assert_eq!(register(&mut switch, "departed_bytes"), 6_000);
}

#[test]
fn a_virtual_queue_admits_what_its_drain_rate_lets_go() {
    let mut switch = switch_with("virtual_queue.json", PortConfig::new(2));
    set_limit(&mut switch, 3_000);
    let bytes_per_2_20_us: u32 = 1 << 20;
    switch.control().unwrap().register_write("drain_rate", 2, bytes_per_2_20_us).unwrap();
    inject(&mut switch, 5, FRAME_BYTES, 2 * MS);
    inject(&mut switch, 5, FRAME_BYTES, 4 * MS);
    assert_eq!(run(&mut switch, S), [2, 2, 2, 4, 4].map(|at_ms| at_ms * MS));
    assert_eq!(register(&mut switch, "dropped_bytes"), 5_000);
}

#[test]
fn the_mailbox_answers_at_once_with_the_time_of_the_switch() {
    let mut switch = switch(bottleneck(None));
    inject(&mut switch, 3, FRAME_BYTES, 0);
    run(&mut switch, 1_500_000);
    let request = [&[1, 0, 2][..], &7u32.to_be_bytes(), &4_000u64.to_be_bytes(), &[0; 8]].concat();
    switch.packet_out(&request).unwrap();
    let answers = switch.packet_ins().take(Duration::ZERO);
    let expected: Vec<u8> = [&[0, 2][..], &7u32.to_be_bytes()]
        .into_iter()
        .chain([1_500u64, 3_000, 0, 2_000, 4_000, 0].map(u64::to_be_bytes).iter().map(|b| &b[..]))
        .flatten()
        .copied()
        .collect();
    assert_eq!(answers, [expected]);
    assert_eq!(register(&mut switch, "queue_limit_bytes"), 4_000);
}

#[test]
fn a_load_resets_state_and_discards_queued_frames_but_not_those_on_the_wire() {
    let mut switch = switch(bottleneck(None));
    inject(&mut switch, 4, FRAME_BYTES, 0);
    assert_eq!(run(&mut switch, 1_500_000), [SERIALIZATION_NS]);
    switch.replace(Pipeline::load(&program("virtual_queue.json")).unwrap());
    assert_eq!(run(&mut switch, S), [2 * SERIALIZATION_NS]);
    assert_eq!(switch.statistics().flushed.packets, 2);
    assert_eq!(register(&mut switch, "admitted_bytes"), 0);
    add_stations(&mut switch);
    inject(&mut switch, 1, FRAME_BYTES, S);
    assert_eq!(run(&mut switch, 2 * S), [S + SERIALIZATION_NS]);
}

#[test]
fn the_past_and_unknown_ports_are_refused() {
    let mut switch = switch(bottleneck(None));
    switch.run_until(100).unwrap();
    assert_eq!(switch.run_until(99), Err(SwitchError::Past { at_ns: 99, now_ns: 100 }));
    assert_eq!(switch.inject(1, vec![], 99), Err(SwitchError::Past { at_ns: 99, now_ns: 100 }));
    let unknown = SwitchError::UnknownPort { port: 3, valid: vec![1, 2] };
    assert_eq!(switch.inject(3, vec![], 100), Err(unknown));
}

#[test]
fn a_switch_without_a_program_drops() {
    let mut switch = Switch::new(vec![PortConfig::new(1)], None).unwrap();
    inject(&mut switch, 3, FRAME_BYTES, 0);
    assert!(run(&mut switch, S).is_empty());
    assert_eq!(switch.statistics().program_dropped.packets, 3);
    assert_eq!(switch.packet_out(&[]), Err(SwitchError::NoCpuPort));
    assert!(matches!(switch.control(), Err(SwitchError::NoProgram)));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(9_390),
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_frame_is_accounted_for(
        arrivals in vec((1..=2u16, 1..=3u16, 0..2_000usize, 0..3 * MS), 1..200),
        memory_bytes in prop_oneof![Just(None), (0..8_000u64).prop_map(Some)],
        limit_bytes in 0..10_000u128,
        until_ns in 0..200 * MS,
    ) {
        let mut switch = switch(bottleneck(memory_bytes));
        set_limit(&mut switch, limit_bytes);
        let mut at_ns = 0;
        for &(from, to, length_bytes, gap_ns) in &arrivals {
            at_ns += gap_ns;
            switch.inject(from, frame(to, length_bytes), at_ns).unwrap();
        }
        let until_ns = until_ns.min(at_ns);
        let left = run(&mut switch, until_ns).len() as u64;
        let ports = [1, 2].map(|port| switch.port_statistics(port).unwrap());
        let sum = |of: fn(&engine::PortStatistics) -> u64| ports.iter().map(of).sum::<u64>();
        prop_assert_eq!(sum(|port| port.sent.packets), left);
        prop_assert_eq!(
            sum(|port| port.received.packets),
            left
                + switch.statistics().program_dropped.packets
                + sum(|port| port.memory_dropped.packets)
                + sum(|port| port.queued.packets)
                + sum(|port| port.on_wire_packets)
        );
    }
}
