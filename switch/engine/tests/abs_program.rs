//! The ABS program on the switch in virtual time.

use crate::support::bottleneck::*;
use engine::{PortConfig, Switch, SwitchError};
use pipeline::Pipeline;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

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
    let expected = Reply {
        sequence: 7,
        timestamp_us: 1_500,
        operation: MAILBOX_WRITE_QUEUE_LIMIT | MAILBOX_SERVED,
        port: 2,
        admitted_bytes: 3_000,
        dropped_bytes: 0,
        departed_bytes: 2_000,
        queue_limit_bytes: 4_000,
        drain_rate: 0,
        // The second frame found the queue empty and waited for the first one.
        unsaturated_us: 1_000,
        unsaturated_bytes: 1_000,
        least_backlog_bytes: 0,
        greatest_backlog_bytes: 2_000,
        backlog_window: 0,
        marked_bytes: 0,
        ecn_marking: 0,
        active_flow_us: 0,
        long_flow_us: 0,
        untracked_bytes: 0,
        timed_bytes: 0,
        timed_byte_us: 0,
    };
    assert_eq!(mailbox(&mut switch, MAILBOX_WRITE_QUEUE_LIMIT, 7, 4_000), expected);
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
