//! Properties of the queues, against an oracle that computes departures in exact fractions.
//! The oracle's blind spot: it knows no order of events within one nanosecond.

use std::num::NonZeroU64;

use pipeline::QueueInfo;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::{Dequeued, Egress, NotQueued, TrafficManager};
use crate::config::PortConfig;
use crate::statistics::Tally;
use crate::time::SwitchTime;

mod queue_limits;
mod weights;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Frame {
    id: usize,
    length_bytes: usize,
}

#[derive(Debug, Clone, Copy)]
struct Arrival {
    at_ns: u64,
    port: u16,
    length_bytes: usize,
    priority: u64,
}

/// What the traffic manager did, in order.
#[derive(Debug, Default)]
struct Record {
    dequeued: Vec<(usize, u64, QueueInfo)>,
    left: Vec<(usize, u16, u64)>,
    discarded: Vec<usize>,
    /// Egress drops every frame whose id is a multiple of this.
    drops: Option<usize>,
}

impl Egress<Frame> for Record {
    fn dequeue(&mut self, frame: &mut Frame, _: u16, at: SwitchTime, info: QueueInfo) -> Dequeued {
        self.dequeued.push((frame.id, at.nanos(), info));
        match self.drops.is_some_and(|divisor| frame.id % divisor == 0) {
            true => Dequeued::Drop,
            false => Dequeued::Transmit { length_bytes: frame.length_bytes },
        }
    }

    fn leave(&mut self, frame: Frame, port: u16, at: SwitchTime) {
        self.left.push((frame.id, port, at.nanos()));
    }

    fn recirculate(&mut self, _: Frame, _: SwitchTime) {
        unreachable!("nothing recirculates here");
    }

    fn discard(&mut self, frame: Frame) {
        self.discarded.push(frame.id);
    }

    fn limit(&self) -> SwitchTime {
        SwitchTime::NEVER
    }
}

fn port(number: u16, rate_bps: u64, delay_ns: u64, memory_bytes: Option<u64>) -> PortConfig {
    let rate_bps = NonZeroU64::new(rate_bps);
    PortConfig { rate_bps, delay_ns, memory_bytes, ..PortConfig::new(number) }
}

fn run(ports: &[PortConfig], arrivals: &[Arrival], record: &mut Record) -> TrafficManager<Frame> {
    let mut manager = TrafficManager::new(ports);
    for (id, arrival) in arrivals.iter().enumerate() {
        let frame = Frame { id, length_bytes: arrival.length_bytes };
        let at = SwitchTime::from_nanos(arrival.at_ns);
        manager.run_until(at, record);
        manager
            .enqueue(frame, arrival.port, arrival.priority, arrival.length_bytes, at, record)
            .expect("the port exists");
    }
    manager
}

/// Departures of one port by Lindley's recursion, in units of 1 / rate_bps nanoseconds.
fn oracle(config: &PortConfig, arrivals: &[Arrival]) -> Vec<(usize, u16, u64)> {
    let rate = u128::from(config.rate_bps.expect("the oracle needs a rate").get());
    let mut free = 0;
    let mut starts: Vec<(u128, usize)> = Vec::new();
    let mut left = Vec::new();
    for (id, arrival) in arrivals.iter().enumerate().filter(|(_, a)| a.port == config.port) {
        let now = u128::from(arrival.at_ns);
        let waiting = starts.iter().filter(|(start, _)| start / rate > now);
        let queued_bytes: usize = waiting.map(|(_, length_bytes)| length_bytes).sum();
        let waits = free / rate > now;
        let needed_bytes = (queued_bytes + arrival.length_bytes) as u64;
        if waits && config.memory_bytes.is_some_and(|memory_bytes| needed_bytes > memory_bytes) {
            continue;
        }
        let start = free.max(now * rate);
        starts.push((start, arrival.length_bytes));
        free = start + 8_000_000_000 * arrival.length_bytes as u128;
        left.push((id, config.port, (free / rate) as u64 + config.delay_ns));
    }
    left
}

#[test]
fn what_the_network_has_no_room_for_waits_in_order() {
    let ports = [PortConfig::new(1)];
    let arrival = Arrival { at_ns: 5, port: 1, length_bytes: 100, priority: 0 };
    let mut record = Record::default();
    let mut manager = TrafficManager::new(&ports);
    let at = SwitchTime::from_nanos;
    manager.set_room(1, 2, at(0));
    for id in 0..5 {
        let frame = Frame { id, length_bytes: arrival.length_bytes };
        manager.enqueue(frame, 1, 0, 100, at(5), &mut record).expect("the port exists");
    }
    manager.run_until(at(10), &mut record);
    assert_eq!(record.left, [(0, 1, 5), (1, 1, 5)]);
    assert_eq!(manager.next_event(), None);
    manager.set_room(1, 1, at(10));
    manager.run_until(at(20), &mut record);
    manager.set_room(1, 64, at(20));
    manager.run_until(at(30), &mut record);
    assert_eq!(record.left[2..], [(2, 1, 10), (3, 1, 20), (4, 1, 20)]);
    let depths: Vec<_> =
        record.dequeued.iter().map(|(.., info)| info.enqueue_depth_packets).collect();
    assert_eq!(depths, [0, 0, 0, 1, 2]);
}

fn of_port(left: &[(usize, u16, u64)], port: u16) -> Vec<(usize, u16, u64)> {
    left.iter().copied().filter(|(_, number, _)| *number == port).collect()
}

fn any_port(number: u16) -> impl Strategy<Value = PortConfig> {
    let rate_bps = prop_oneof![1_000..1_000_000u64, 1_000_000..10_000_000_000u64];
    let memory_bytes = prop_oneof![Just(None), (0..20_000u64).prop_map(Some)];
    (rate_bps, 0..1_000_000u64, memory_bytes)
        .prop_map(move |(rate, delay, memory)| port(number, rate, delay, memory))
}

/// Arrivals in order of time, often at the same instant or back to back.
fn any_arrivals() -> impl Strategy<Value = Vec<Arrival>> {
    let gap_ns = prop_oneof![Just(0), 0..2_000u64, 0..2_000_000u64];
    vec((gap_ns, 1..=2u16, 0..3_000usize), 1..200).prop_map(|steps| {
        let mut at_ns = 0;
        let arrival = |(gap_ns, port, length_bytes)| {
            at_ns += gap_ns;
            Arrival { at_ns, port, length_bytes, priority: 0 }
        };
        steps.into_iter().map(arrival).collect()
    })
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 512,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_060_501),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn departures_equal_the_oracles_to_the_nanosecond(
        one in any_port(1), two in any_port(2), arrivals in any_arrivals(),
    ) {
        let mut record = Record::default();
        run(&[one.clone(), two.clone()], &arrivals, &mut record).run_until(SwitchTime::NEVER, &mut record);
        prop_assert_eq!(of_port(&record.left, 1), oracle(&one, &arrivals));
        prop_assert_eq!(of_port(&record.left, 2), oracle(&two, &arrivals));
    }

    #[test]
    fn every_frame_leaves_is_discarded_or_is_inside(
        one in any_port(1), two in any_port(2), arrivals in any_arrivals(), drops in 1..5usize,
    ) {
        let mut record = Record { drops: Some(drops), ..Record::default() };
        let manager = run(&[one, two], &arrivals, &mut record);
        let inside: u64 = [1, 2]
            .map(|number| {
                let port = manager.port(number).expect("the port exists");
                port.queued().packets + port.on_wire_packets()
            })
            .iter()
            .sum();
        let outside = record.left.len() + record.discarded.len();
        prop_assert_eq!(outside + inside as usize, arrivals.len());
    }

    #[test]
    fn frames_leave_in_order_of_time_and_of_arrival_per_port(
        one in any_port(1), two in any_port(2), arrivals in any_arrivals(),
    ) {
        let mut record = Record::default();
        run(&[one, two], &arrivals, &mut record).run_until(SwitchTime::NEVER, &mut record);
        prop_assert!(record.left.is_sorted_by_key(|(_, _, at_ns)| *at_ns));
        prop_assert!(of_port(&record.left, 1).is_sorted_by_key(|(id, ..)| *id));
        prop_assert!(of_port(&record.left, 2).is_sorted_by_key(|(id, ..)| *id));
    }

    #[test]
    fn running_in_steps_changes_nothing(
        one in any_port(1), arrivals in any_arrivals(), step_ns in 1_000..1_000_000u64,
    ) {
        let ports = [one, port(2, 1_000_000, 0, None)];
        let (mut at_once, mut in_steps) = (Record::default(), Record::default());
        run(&ports, &arrivals, &mut at_once).run_until(SwitchTime::NEVER, &mut at_once);
        let mut manager = run(&ports, &arrivals, &mut in_steps);
        while let Some(due) = manager.next_event() {
            manager.run_until(due.after_ns(step_ns), &mut in_steps);
        }
        prop_assert_eq!(at_once.left, in_steps.left);
    }
}

#[test]
fn a_frame_that_fills_the_memory_is_queued_and_one_byte_more_is_not() {
    for (length_bytes, is_queued) in [(600, true), (601, false)] {
        let lengths = [1_000, 400, length_bytes];
        let arrivals =
            lengths.map(|length_bytes| Arrival { at_ns: 0, port: 1, length_bytes, priority: 0 });
        let mut record = Record::default();
        let manager = run(&[port(1, 1_000_000, 0, Some(1_000))], &arrivals, &mut record);
        let egress_port = manager.port(1).expect("the port exists");
        assert_eq!(egress_port.overflowed.packets, u64::from(!is_queued));
        assert_eq!(egress_port.queued().bytes, if is_queued { 1_000 } else { 400 });
    }
}

#[test]
fn a_frame_that_arrives_when_the_link_gets_free_finds_the_next_ones_memory_free() {
    let at = |at_ns| Arrival { at_ns, port: 1, length_bytes: 1_000, priority: 0 };
    let mut record = Record::default();
    let ports = [port(1, 8_000_000_000, 0, Some(1_000))];
    run(&ports, &[at(0), at(0), at(1_000)], &mut record).run_until(SwitchTime::NEVER, &mut record);
    assert_eq!(record.left, [(0, 1, 1_000), (1, 1, 2_000), (2, 1, 3_000)]);
}

#[test]
fn a_frame_that_egress_drops_takes_no_time_on_the_link() {
    let arrivals = [Arrival { at_ns: 5, port: 1, length_bytes: 1_000, priority: 0 }; 4];
    let mut record = Record { drops: Some(2), ..Record::default() };
    let ports = [port(1, 8_000_000_000, 0, None)];
    run(&ports, &arrivals, &mut record).run_until(SwitchTime::NEVER, &mut record);
    assert_eq!(record.left, [(1, 1, 1_005), (3, 1, 2_005)]);
    assert_eq!(record.discarded, [0, 2]);
}

#[test]
fn without_a_rate_a_frame_leaves_at_once_or_after_the_delay() {
    let arrivals = [Arrival { at_ns: 5, port: 1, length_bytes: 1_000, priority: 0 }; 2];
    for delay_ns in [0, 70] {
        let mut record = Record::default();
        let ports = [port(1, 0, delay_ns, Some(0))];
        run(&ports, &arrivals, &mut record)
            .run_until(SwitchTime::from_nanos(5 + delay_ns), &mut record);
        assert_eq!(record.left, [(0, 1, 5 + delay_ns), (1, 1, 5 + delay_ns)]);
    }
}

#[test]
fn egress_learns_when_a_frame_was_queued_and_how_deep_the_queue_was() {
    let arrivals = [Arrival { at_ns: 3_000, port: 1, length_bytes: 1_000, priority: 0 }; 3];
    let mut record = Record::default();
    run(&[port(1, 8_000_000, 0, None)], &arrivals, &mut record)
        .run_until(SwitchTime::NEVER, &mut record);
    let info = |enqueue_depth_packets, dequeue_depth_packets| QueueInfo {
        enqueued_at_us: 3,
        enqueue_depth_packets,
        dequeue_depth_packets,
        queue: 0,
    };
    let dequeued = [(0, 3_000, info(0, 0)), (1, 1_003_000, info(0, 1)), (2, 2_003_000, info(1, 0))];
    assert_eq!(record.dequeued, dequeued);
}

#[test]
fn a_flush_empties_the_queue_but_not_the_wire_and_the_port_goes_on() {
    let arrivals = [Arrival { at_ns: 0, port: 1, length_bytes: 1_000, priority: 0 }; 3];
    let mut record = Record::default();
    let mut manager = run(&[port(1, 8_000_000_000, 0, None)], &arrivals, &mut record);
    assert_eq!(manager.flush(&mut record), Tally { packets: 2, bytes: 2_000 });
    let frame = Frame { id: 3, length_bytes: 1_000 };
    manager
        .enqueue(frame, 1, 0, 1_000, SwitchTime::from_nanos(500), &mut record)
        .expect("the port exists");
    manager.run_until(SwitchTime::NEVER, &mut record);
    assert_eq!(record.left, [(0, 1, 1_000), (3, 1, 2_000)]);
}

#[test]
fn a_port_that_does_not_exist_hands_the_frame_back() {
    let mut manager = TrafficManager::new(&[port(1, 0, 0, None)]);
    let frame = Frame { id: 0, length_bytes: 1 };
    for number in [2, 510, 511, u16::MAX] {
        let queued =
            manager.enqueue(frame, number, 0, 1, SwitchTime::default(), &mut Record::default());
        assert_eq!(queued, Err(NotQueued::NoSuchPort(frame)));
    }
}
