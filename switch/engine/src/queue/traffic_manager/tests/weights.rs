//! Queues with weights: order, shares, and what they keep of other queues.

use super::*;
use crate::config::{QueueLimit, Queues};

/// Of the queue of the least weight in a round.
const QUANTUM: usize = 1_514;
const MS: u64 = 1_000_000;

/// What came: when in ns, which is a byte's time on the link, in which queue, and how long.
type Came = (u64, usize, usize);

/// Port 1 with queues of these weights, and a link that sends a byte in a nanosecond.
fn weighted(weights: &[u8]) -> TrafficManager<Frame> {
    TrafficManager::new(&[PortConfig {
        queues: weights.len() as u8,
        weights: weights.to_vec(),
        ..port(1, 8_000_000_000, 0, None)
    }])
}

/// What goes on the link: which frame, and when.
fn sent(manager: &mut TrafficManager<Frame>, frames: &[Came]) -> Vec<(usize, u64)> {
    let mut record = Record::default();
    for (id, &(at_ns, queue, length_bytes)) in frames.iter().enumerate() {
        let (frame, at) = (Frame { id, length_bytes }, SwitchTime::from_nanos(at_ns));
        manager.run_until(at, &mut record);
        let queued = manager.enqueue(frame, 1, queue as u64, length_bytes, at, &mut record);
        queued.expect("the queue exists");
    }
    manager.run_until(SwitchTime::NEVER, &mut record);
    record.dequeued.iter().map(|&(id, at_ns, _)| (id, at_ns)).collect()
}

/// The queues in the order in which their frames go on the link.
fn queues(weights: &[u8], frames: &[Came]) -> Vec<usize> {
    sent(&mut weighted(weights), frames).iter().map(|&(id, _)| frames[id].1).collect()
}

/// As many frames of full length in a queue.
fn full(count: usize, at_ns: u64, queue: usize) -> Vec<Came> {
    vec![(at_ns, queue, QUANTUM); count]
}

/// Quanta are 1514 and 3028 bytes. Frame 0 leaves 514 of queue 0's, too few for frame 1. Frames 3 and
/// 4 leave 28 of queue 1's. With 514 + 1514 queue 0 sends the rest of its frames, and with 28 + 3028
/// queue 1.
#[test]
fn a_small_example_goes_as_worked_out_by_hand() {
    let zero = [1_000; 3].map(|length_bytes| (0, 0, length_bytes));
    let one = [1_500, 1_500, 100, 1_500].map(|length_bytes| (0, 1, length_bytes));
    let order = sent(&mut weighted(&[1, 2]), &[&zero[..], &one[..]].concat());
    let ids: Vec<_> = order.iter().map(|&(id, _)| id).collect();
    assert_eq!(ids, [0, 3, 4, 1, 2, 5, 6]);
}

#[test]
fn weights_of_the_same_proportion_are_the_same() {
    let frames = [full(20, 0, 0), full(20, 0, 1)].concat();
    assert_eq!(queues(&[1, 3], &frames)[..8], [0, 1, 1, 1, 0, 1, 1, 1]);
    assert_eq!(queues(&[85, 255], &frames), queues(&[1, 3], &frames));
}

#[test]
fn a_queue_that_comes_back_has_no_credit_of_its_absence_and_none_of_an_earlier_visit() {
    let before = [full(20, 0, 0), full(1, 0, 1)].concat();
    let back = full(20, 10 * QUANTUM as u64, 1);
    let order = queues(&[1, 6], &[before, back].concat());
    assert_eq!(order[..11], [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(order[11..19], [1, 1, 1, 1, 1, 1, 0, 1]);
}

#[test]
fn a_frame_longer_than_a_quantum_is_served_in_time_or_at_once_if_it_is_alone() {
    let long = (0, 0, 9_000);
    let order = queues(&[1, 1], &[full(30, 0, 1), vec![long; 3]].concat());
    let long_at: Vec<_> = (0..order.len()).filter(|&at| order[at] == 0).collect();
    assert_eq!(long_at, [6, 13, 20], "9000 bytes are six quanta");
    let alone = sent(&mut weighted(&[1, 255]), &[long; 3]);
    assert_eq!(alone, [(0, 0), (1, 9_000), (2, 18_000)]);
}

#[test]
fn a_queue_keeps_its_own_rate_and_leaves_the_rest_of_the_link_to_others() {
    let mut manager = weighted(&[1, 255]);
    let packets_per_second = NonZeroU64::new(1_000);
    let one = Queues::One { port: 1, queue: 1 };
    manager.limit_queues(one, QueueLimit::Rate { packets_per_second });
    let frames = [full(3, 0, 1), full(2_000, 0, 0)].concat();
    let order = sent(&mut manager, &frames);
    for (id, turn_ns) in [(0, MS), (1, 2 * MS), (2, 3 * MS)] {
        let (_, at_ns) = order.iter().find(|&&(other, _)| other == id).expect("it was sent");
        assert!((turn_ns..turn_ns + QUANTUM as u64).contains(at_ns), "{id} at {at_ns}");
    }
    let without_pause =
        |(position, &(_, at_ns)): (usize, &(usize, u64))| at_ns == (position * QUANTUM) as u64;
    assert!(order.iter().enumerate().all(without_pause));
}

#[test]
fn after_a_flush_queues_begin_anew() {
    let mut manager = weighted(&[1, 3]);
    let frames = [full(2, 0, 0), full(9, 0, 1)].concat();
    let mut record = Record::default();
    for (id, &(_, queue, length_bytes)) in frames.iter().enumerate() {
        let (frame, at) = (Frame { id, length_bytes }, SwitchTime::default());
        manager.enqueue(frame, 1, queue as u64, length_bytes, at, &mut record).expect("queued");
    }
    manager.run_until(SwitchTime::from_nanos(2 * QUANTUM as u64), &mut record);
    manager.flush(&mut record);
    let later = [full(4, MS, 1), full(2, MS, 0)].concat();
    let order: Vec<_> = sent(&mut manager, &later).iter().map(|&(id, _)| later[id].1).collect();
    assert_eq!(order, [1, 1, 1, 0, 1, 0]);
}

/// Weights of two to eight queues.
fn any_weights() -> impl Strategy<Value = Vec<u8>> {
    vec(prop_oneof![1..=8u8, 1..=255u8], 2..=8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..config() })]

    /// Never further from it than Shreedhar and Varghese prove: a quantum and two frames.
    #[test]
    fn while_all_queues_have_frames_shares_are_by_weights(
        weights in any_weights(),
        lengths in vec(vec(prop_oneof![1..=64usize, 1..=1_514usize, 1..=9_000usize], 1..4), 8),
    ) {
        let count = weights.len();
        // Each queue repeats its own lengths.
        let length = |id: usize, of_queue: &[usize]| of_queue[id / count % of_queue.len()];
        let frame = |id| (0, id % count, length(id, &lengths[id % count]));
        let frames: Vec<Came> = (0..200 * count).map(frame).collect();
        let least = f64::from(*weights.iter().min().expect("there are some"));
        let longest = *lengths.iter().flatten().max().expect("there are some");
        let bound = (QUANTUM + 2 * longest) as f64;
        let (mut bytes, mut left) = (vec![0.0; count], vec![200; count]);
        for (id, _) in sent(&mut weighted(&weights), &frames) {
            let (_, queue, length_bytes) = frames[id];
            bytes[queue] += length_bytes as f64 * least / f64::from(weights[queue]);
            left[queue] -= 1;
            let [low, high] = [f64::min, f64::max]
                .map(|choose| bytes.iter().copied().reduce(choose).expect("there are some"));
            prop_assert!(high - low <= bound, "{bytes:?} by {weights:?}");
            if left[queue] == 0 {
                break;
            }
        }
    }

    #[test]
    fn the_link_is_never_free_while_a_frame_waits_and_queues_keep_their_order(
        weights in any_weights(),
        came in vec((prop_oneof![Just(0), 0..20_000u64], 0..8usize, 0..9_000usize), 1..150),
    ) {
        let mut at_ns = 0;
        let frames: Vec<Came> = came
            .into_iter()
            .map(|(gap_ns, queue, length_bytes)| {
                at_ns += gap_ns;
                (at_ns, queue % weights.len(), length_bytes)
            })
            .collect();
        let order = sent(&mut weighted(&weights), &frames);
        let mut waiting: std::collections::BTreeSet<usize> = (0..frames.len()).collect();
        let mut free_ns = 0;
        for &(id, start_ns) in &order {
            let first = *waiting.first().expect("each frame is sent once");
            prop_assert_eq!(start_ns, free_ns.max(frames[first].0));
            prop_assert!(waiting.remove(&id));
            free_ns = start_ns + frames[id].2 as u64;
        }
        prop_assert!(waiting.is_empty());
        for queue in 0..weights.len() {
            let of_queue = order.iter().map(|&(id, _)| id).filter(|&id| frames[id].1 == queue);
            prop_assert!(of_queue.is_sorted());
        }
    }
}
