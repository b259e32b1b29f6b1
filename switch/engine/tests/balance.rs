//! The account of frames balances, to the byte, at any instant and whatever programs do to them.

use std::num::NonZeroU64;

use crate::support::*;
use engine::{CloneSession, PortConfig, PortStatistics, Replica, Switch};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const PORTS: u16 = 4;
const GROUPS: u16 = 3;

fn any_frame() -> impl Strategy<Value = Frame> {
    // Numbers without meaning to the program are plain frames; ports 0 and 5 do not exist.
    let what = (0..16u8, 0..16u8, 0..=GROUPS + 1);
    (what, 0..=5u8, 0..8u8, 0..1_500usize).prop_map(
        |((ingress, egress, argument), port, priority, payload_bytes)| Frame {
            ingress,
            egress,
            argument,
            port,
            priority,
            payload_bytes,
        },
    )
}

fn any_port(number: u16) -> impl Strategy<Value = PortConfig> {
    let rate_bps = prop_oneof![Just(0u64), 1_000_000..10_000_000_000u64];
    let memory_bytes = prop_oneof![Just(None), (0..20_000u64).prop_map(Some)];
    let weights = prop_oneof![Just(Vec::new()), vec(1..=255u8, 8)];
    (rate_bps, 0..1_000_000u64, memory_bytes, 1..=8u8, weights).prop_map(
        move |(rate_bps, delay_ns, memory_bytes, queues, weights)| PortConfig {
            rate_bps: NonZeroU64::new(rate_bps),
            delay_ns,
            memory_bytes,
            queues,
            weights: weights.into_iter().take(queues.into()).collect(),
            ..PortConfig::new(number)
        },
    )
}

fn any_ports() -> impl Strategy<Value = Vec<PortConfig>> {
    (1..=PORTS).map(any_port).collect::<Vec<_>>()
}

/// Ports are those that exist and two that do not.
fn any_replicas() -> impl Strategy<Value = Vec<Replica>> {
    proptest::collection::hash_set((0..=PORTS + 1, 0..3u16), 0..6).prop_map(|pairs| {
        let mut pairs: Vec<_> = pairs.into_iter().collect();
        pairs.sort_unstable();
        pairs.into_iter().map(|(port, instance)| Replica::new(port, instance)).collect()
    })
}

fn any_session() -> impl Strategy<Value = CloneSession> {
    let limit = prop_oneof![Just(None), (0..200u32).prop_map(Some)];
    (any_replicas(), 0..8u8, limit).prop_map(|(replicas, class_of_service, packet_length_bytes)| {
        CloneSession { replicas, class_of_service, packet_length_bytes }
    })
}

/// What came in and what became of it, in packets and in bytes, if nothing is on a wire.
fn account(switch: &Switch) -> [(u64, u64); 2] {
    let ports: Vec<PortStatistics> =
        (1..=PORTS).map(|port| switch.port_statistics(port).unwrap()).collect();
    let inside = switch.statistics();
    let mut came = vec![inside.copied];
    let mut became = vec![
        inside.program_dropped,
        inside.no_such_port,
        inside.no_such_queue,
        inside.flushed,
        inside.loopback_dropped,
        inside.returning,
    ];
    for port in ports {
        came.push(port.received);
        became.extend([port.sent, port.memory_dropped, port.queued]);
        assert_eq!(port.on_wire_packets, 0);
    }
    let packets = |tallies: &[engine::Tally]| tallies.iter().map(|tally| tally.packets).sum();
    let bytes = |tallies: &[engine::Tally]| tallies.iter().map(|tally| tally.bytes).sum::<u64>();
    [
        (packets(&came), packets(&became)),
        (bytes(&came) + inside.lengthened_bytes, bytes(&became) + inside.shortened_bytes),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1_812),
        ..ProptestConfig::default()
    })]

    #[test]
    fn received_and_copied_is_sent_dropped_or_inside(
        ports in any_ports(),
        groups in vec(any_replicas(), usize::from(GROUPS)),
        sessions in vec(any_session(), usize::from(GROUPS)),
        arrivals in vec((1..=PORTS, any_frame(), 0..20_000u64), 1..60),
        load_at in prop_oneof![Just(None), (0..60usize).prop_map(Some)],
    ) {
        let mut switch = switch(ports);
        for (number, (replicas, session)) in (1..).zip(groups.into_iter().zip(sessions)) {
            switch.replication().groups.insert(number, replicas.into()).unwrap();
            switch.replication().sessions.insert(number, session).unwrap();
        }
        let mut at_ns = 0;
        for (position, (port, frame, gap_ns)) in arrivals.into_iter().enumerate() {
            at_ns += gap_ns;
            switch.inject(port, frame.bytes(), at_ns).unwrap();
            switch.run_until(at_ns).unwrap();
            if load_at == Some(position) {
                switch.replace(program());
            }
        }
        // Long enough for most, short enough for those who recirculate for ever.
        run(&mut switch, at_ns + S / 500);
        stop_those_that_never_end(&mut switch);
        for (came, became) in account(&switch) {
            prop_assert_eq!(came, became);
        }
    }
}

/// A load discards what recirculates; what is on the wires arrives.
fn stop_those_that_never_end(switch: &mut Switch) {
    switch.replace(program());
    let until_ns = switch.now_ns() + S;
    run(switch, until_ns);
}
