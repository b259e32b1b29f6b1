//! Depths and rates of queues in frames, against an oracle in exact fractions.

use super::*;
use crate::config::{QueueLimit, Queues};

const QUEUE: u8 = 2;
const MS: u64 = 1_000_000;

fn rate(packets_per_second: u64) -> QueueLimit {
    QueueLimit::Rate { packets_per_second: NonZeroU64::new(packets_per_second) }
}

fn depth(packets: u64) -> QueueLimit {
    QueueLimit::Depth { packets }
}

/// A manager of port 1 that is limited before any frame comes.
fn limited(limits: &[(Queues, QueueLimit)]) -> TrafficManager<Frame> {
    let mut manager = TrafficManager::new(&[PortConfig::new(1)]);
    limits.iter().for_each(|&(queues, limit)| manager.limit_queues(queues, limit));
    manager
}

/// Lets frames of 100 bytes come, one for each (instant in ns, queue), then runs to the end.
fn feed(manager: &mut TrafficManager<Frame>, arrivals: &[(u64, u8)], record: &mut Record) {
    for (id, &(at_ns, queue)) in arrivals.iter().enumerate() {
        let at = SwitchTime::from_nanos(at_ns);
        manager.run_until(at, record);
        let frame = Frame { id, length_bytes: 100 };
        manager.enqueue(frame, 1, queue.into(), 100, at, record).expect("the queue exists");
    }
    manager.run_until(SwitchTime::NEVER, record);
}

fn turns(record: &Record) -> Vec<(usize, u64)> {
    record.dequeued.iter().map(|&(id, at_ns, _)| (id, at_ns)).collect()
}

/// What BMv2 does: a frame's turn is when it comes, but 1 / rate after the last one's.
fn expected_turns(rate_pps: u64, most_packets: u64, arrivals_ns: &[u64]) -> Vec<(usize, u64)> {
    let rate = u128::from(rate_pps);
    let mut last = 0;
    let mut turns: Vec<(usize, u64)> = Vec::new();
    for (id, &at_ns) in arrivals_ns.iter().enumerate() {
        let waiting = turns.iter().filter(|(_, turn_ns)| *turn_ns > at_ns).count();
        if waiting as u64 >= most_packets {
            continue;
        }
        // In units of 1 / rate nanoseconds; one that comes within its turn's nanosecond keeps it.
        let next: u128 = last + 1_000_000_000;
        last = if u128::from(at_ns) > next / rate { u128::from(at_ns) * rate } else { next };
        turns.push((id, (last / rate) as u64));
    }
    turns
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_queue_of_any_rate_and_depth_serves_its_frames_as_bmv2_does(
        rate_pps in prop_oneof![1..2_000u64, 1..2_000_000_000u64],
        most_packets in 1..20u64,
        gaps_ns in vec(prop_oneof![Just(0), 0..2_000u64, 0..2 * MS], 1..100),
    ) {
        let queue = Queues::One { port: 1, queue: QUEUE };
        let mut manager = limited(&[(queue, rate(rate_pps)), (queue, depth(most_packets))]);
        let arrivals_ns: Vec<u64> = gaps_ns
            .iter()
            .scan(0, |at_ns, gap_ns| { *at_ns += gap_ns; Some(*at_ns) })
            .collect();
        let arrivals: Vec<_> = arrivals_ns.iter().map(|&at_ns| (at_ns, QUEUE)).collect();
        let mut record = Record::default();
        feed(&mut manager, &arrivals, &mut record);
        let expected = expected_turns(rate_pps, most_packets, &arrivals_ns);
        prop_assert_eq!(turns(&record), expected.clone());
        prop_assert_eq!(record.discarded.len(), arrivals.len() - expected.len());
        let overflowed = manager.port(1).expect("the port exists").overflowed.packets;
        prop_assert_eq!(overflowed, record.discarded.len() as u64);
    }
}

#[test]
fn a_queue_that_waits_for_its_turn_holds_no_other() {
    let mut manager = limited(&[(Queues::One { port: 1, queue: 7 }, rate(1_000))]);
    let mut record = Record::default();
    feed(&mut manager, &[(0, 7), (0, 0), (5, 0), (MS, 0)], &mut record);
    assert_eq!(turns(&record), [(1, 0), (2, 5), (0, MS), (3, MS)]);
}

/// As in BMv2 since its pull requests 1270 and 1276: depths are those of the frame's own queue, and a
/// queue's number is the priority that it is for.
#[test]
fn depths_and_limits_are_of_the_queue_that_a_frame_is_in() {
    let slow = [(Queues::All, rate(1_000)), (Queues::One { port: 1, queue: 2 }, depth(1))];
    let mut record = Record::default();
    feed(&mut limited(&slow), &[(0, 0), (0, 0), (0, 2), (0, 2), (0, 5), (0, 0)], &mut record);
    assert_eq!(record.discarded, [3], "queue 2 takes one");
    let depths = |&(id, _, info): &(usize, u64, QueueInfo)| {
        (id, info.queue, info.enqueue_depth_packets, info.dequeue_depth_packets)
    };
    let seen: Vec<_> = record.dequeued.iter().map(depths).collect();
    assert_eq!(seen, [(4, 5, 0, 0), (2, 2, 0, 0), (0, 0, 0, 2), (1, 0, 1, 1), (5, 0, 2, 0)]);
}

#[test]
fn among_turns_of_one_instant_the_highest_priority_goes_first() {
    let mut manager = limited(&[(Queues::OfPort(1), rate(1_000))]);
    let mut record = Record::default();
    feed(&mut manager, &[(0, 0), (0, 3), (0, 7)], &mut record);
    assert_eq!(turns(&record), [(2, MS), (1, MS), (0, MS)]);
}

#[test]
fn frames_that_wait_keep_their_turns_when_the_rate_changes_and_later_ones_stay_behind() {
    let mut manager = limited(&[(Queues::All, rate(1_000))]);
    let mut record = Record::default();
    for (id, new_rate) in [(0, 1_000), (1, 2_000), (2, 0), (3, 500)] {
        manager.limit_queues(Queues::All, rate(new_rate));
        let frame = Frame { id, length_bytes: 100 };
        let queued = manager.enqueue(frame, 1, 0, 100, SwitchTime::default(), &mut record);
        queued.expect("the port exists");
    }
    manager.run_until(SwitchTime::NEVER, &mut record);
    assert_eq!(turns(&record), [(0, MS), (1, MS * 3 / 2), (2, MS * 3 / 2), (3, MS * 7 / 2)]);
}

#[test]
fn the_link_and_its_rate_serve_what_the_queues_rates_let_through() {
    let mut manager = TrafficManager::new(&[port(1, 100_000, 0, None)]); // 8 ms a frame
    manager.limit_queues(Queues::OfPort(1), rate(1_000));
    let mut record = Record::default();
    feed(&mut manager, &[(0, 0), (0, 0), (20 * MS, 0)], &mut record);
    assert_eq!(turns(&record), [(0, MS), (1, 9 * MS), (2, 20 * MS)]);
}

#[test]
fn a_queue_without_depth_lets_nothing_through_and_others_all() {
    let mut manager = limited(&[(Queues::One { port: 1, queue: 1 }, depth(0))]);
    let mut record = Record::default();
    feed(&mut manager, &[(0, 1), (0, 0), (9, 1), (9, 0)], &mut record);
    assert_eq!((turns(&record), record.discarded), (vec![(1, 0), (3, 9)], vec![0, 2]));
}

#[test]
fn a_depth_alone_drops_nothing_on_a_port_that_is_free() {
    let mut manager = limited(&[(Queues::All, depth(1))]);
    let mut record = Record::default();
    feed(&mut manager, &[(0, 0); 5], &mut record);
    assert_eq!((record.dequeued.len(), record.discarded.len()), (5, 0));
}

#[test]
fn a_waiting_queue_has_one_timer_however_many_frames_pass_it() {
    let mut manager = limited(&[(Queues::One { port: 1, queue: 0 }, rate(1))]);
    let mut record = Record::default();
    let at = SwitchTime::default();
    for id in 0..100 {
        let frame = Frame { id, length_bytes: 100 };
        let queue = u64::from(id % 10 != 0);
        manager.enqueue(frame, 1, queue, 100, at, &mut record).expect("the port exists");
        manager.run_until(at, &mut record);
    }
    assert_eq!((record.left.len(), manager.timers.len()), (90, 1));
}

#[test]
fn after_a_flush_and_with_a_higher_rate_no_frame_waits_for_the_turn_of_one_before() {
    let mut manager = limited(&[(Queues::All, rate(1))]);
    let mut record = Record::default();
    let mut enqueue = |manager: &mut TrafficManager<Frame>, id, at| {
        let (frame, at) = (Frame { id, length_bytes: 100 }, SwitchTime::from_nanos(at));
        manager.run_until(at, &mut record);
        manager.enqueue(frame, 1, 0, 100, at, &mut record).expect("the port exists");
    };
    (0..3).for_each(|id| enqueue(&mut manager, id, 0));
    manager.flush(&mut Record::default());
    manager.limit_queues(Queues::All, rate(1_000));
    (3..5).for_each(|id| enqueue(&mut manager, id, 10 * MS));
    manager.run_until(SwitchTime::NEVER, &mut record);
    assert_eq!(turns(&record), [(3, 10 * MS), (4, 11 * MS)]);
}

#[test]
fn a_flush_takes_back_the_turns_of_frames_that_waited_and_the_rate_goes_on() {
    let mut manager = limited(&[(Queues::All, rate(1_000))]);
    let mut record = Record::default();
    let at = SwitchTime::from_nanos;
    for id in 0..3 {
        let frame = Frame { id, length_bytes: 100 };
        manager.enqueue(frame, 1, 0, 100, at(0), &mut record).expect("the port exists");
    }
    assert_eq!(manager.flush(&mut record), Tally { packets: 3, bytes: 300 });
    for id in 3..5 {
        let frame = Frame { id, length_bytes: 100 };
        manager.enqueue(frame, 1, 0, 100, at(10), &mut record).expect("the port exists");
    }
    manager.run_until(SwitchTime::NEVER, &mut record);
    assert_eq!(turns(&record), [(3, MS), (4, 2 * MS)]);
    assert_eq!(manager.port(1).expect("the port exists").queued(), Tally::default());
}
