//! Lists of digests in time (P4Runtime 1.5, section 9.8).

use std::time::{Duration, Instant};

use p4runtime::messages::streams::DigestListAck;
use p4runtime::messages::DigestConfig;

use crate::digest_lists::DigestLists;

const SECOND: Duration = Duration::from_secs(1);

fn lists(max_timeout_ns: i64, max_list_size: i32, ack_timeout_ns: i64) -> DigestLists {
    let mut lists = DigestLists::default();
    let config = DigestConfig { max_timeout_ns, max_list_size, ack_timeout_ns };
    assert!(lists.adopt([(1, config)].into(), Instant::now()).is_empty());
    lists
}

#[test]
fn what_is_not_acknowledged_is_remembered_for_one_to_two_timeouts() {
    let mut lists = lists(0, 0, SECOND.as_nanos() as i64);
    let begin = Instant::now();
    let mut is_sent = |after| lists.take(1, vec![7], begin + after).is_some();
    assert!(is_sent(Duration::ZERO));
    assert!(!is_sent(SECOND + SECOND / 4));
    assert!(is_sent(2 * SECOND));
    assert!(!is_sent(2 * SECOND + SECOND / 4));
}

#[test]
fn an_acknowledgment_of_one_list_forgets_what_that_has_brought() {
    let mut lists = lists(0, 0, i64::MAX);
    let now = Instant::now();
    let first = lists.take(1, vec![1], now).unwrap();
    assert!(lists.take(1, vec![2], now).is_some());
    lists.acknowledge(DigestListAck { digest_id: 1, list_id: first.list_id });
    assert!(lists.take(1, vec![1], now).is_some());
    assert!(lists.take(1, vec![2], now).is_none());
    lists.forget();
    assert!(lists.take(1, vec![2], now).is_some());
}

#[test]
fn a_shorter_timeout_counts_for_what_was_sent_before_as_well() {
    let mut lists = lists(0, 0, i64::MAX);
    let begin = Instant::now();
    assert!(lists.take(1, vec![7], begin).is_some());
    let ack_timeout_ns = SECOND.as_nanos() as i64;
    let config = DigestConfig { max_timeout_ns: 0, max_list_size: 0, ack_timeout_ns };
    lists.adopt([(1, config)].into(), begin + SECOND);
    assert!(lists.take(1, vec![7], begin + 2 * SECOND).is_none());
    assert!(lists.take(1, vec![7], begin + 3 * SECOND).is_some());
}

#[test]
fn a_list_is_due_with_its_oldest_digest_and_sent_once() {
    let mut lists = lists(SECOND.as_nanos() as i64, 3, 0);
    let begin = Instant::now();
    assert_eq!(lists.due(), None);
    assert!(lists.take(1, vec![1], begin).is_none());
    assert!(lists.take(1, vec![2], begin + SECOND / 2).is_none());
    assert!(lists.take(1, vec![2], begin + SECOND / 2).is_none(), "it waits already");
    assert_eq!(lists.due(), Some(begin + SECOND));
    assert!(lists.take_due(begin + SECOND / 2).is_empty());
    let sent = lists.take_due(begin + SECOND);
    assert_eq!(sent.iter().map(|list| &list.data).collect::<Vec<_>>(), [&[vec![1], vec![2]]]);
    assert_eq!((lists.due(), lists.take_due(begin + 9 * SECOND).len()), (None, 0));
    lists.take(1, vec![1], begin);
    lists.take(1, vec![2], begin);
    assert_eq!(lists.take(1, vec![3], begin).unwrap().data.len(), 3, "it is full");
}

#[test]
fn what_nobody_acknowledges_is_bounded() {
    let mut lists = lists(0, 0, i64::MAX);
    let now = Instant::now();
    for number in 0..70_000_u32 {
        assert!(lists.take(1, number.to_be_bytes().to_vec(), now).is_some());
    }
    assert!(lists.take(1, 69_999_u32.to_be_bytes().to_vec(), now).is_none());
    assert!(lists.take(1, 0_u32.to_be_bytes().to_vec(), now).is_some(), "the oldest is forgotten");
}
