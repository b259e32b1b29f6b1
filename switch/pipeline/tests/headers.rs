//! Headers that come and go, checksums, and what a program learns about its packet (`headers.p4`).

use crate::support::Switch;
use pipeline::QueueInfo;

/// Command, checksum, tag, value, two bytes of payload.
fn packet(command: u8, checksum: u16) -> Vec<u8> {
    let [high, low] = checksum.to_be_bytes();
    vec![command, high, low, 0xaa, 1, 2, 3, 0xee, 0xef]
}

fn run(command: u8, checksum: u16) -> Vec<u8> {
    Switch::load("headers").send(&packet(command, checksum)).expect("everything is forwarded")
}

#[test]
fn an_untouched_packet_leaves_as_it_came() {
    assert_eq!(run(0, 5), packet(0, 5));
}

#[test]
fn an_added_header_is_zero_but_for_what_is_assigned() {
    assert_eq!(run(1, 5), [&[0xbb, 0, 0, 0][..], &packet(1, 5)].concat());
}

#[test]
fn adding_a_valid_header_changes_nothing() {
    assert_eq!(run(5, 5), packet(5, 5));
}

#[test]
fn a_removed_header_is_gone_and_egress_sees_the_new_length() {
    assert_eq!(run(2, 0), [2, 0, 5, 0xee, 0xef]);
}

#[test]
fn a_copied_header_is_independent_of_its_source() {
    assert_eq!(run(3, 5), [0xaa, 1, 2, 3, 3, 0, 5, 0xcc, 1, 2, 3, 0xee, 0xef]);
}

#[test]
fn copying_an_invalid_header_invalidates() {
    assert_eq!(run(4, 5), [4, 0, 5, 0xee, 0xef]);
}

#[test]
fn a_checksum_is_verified_where_its_condition_holds() {
    // Words 0901 0203.
    let right = !(0x0901_u16 + 0x0203);
    assert_eq!(run(9, right)[3], 0);
    assert_eq!(run(9, right ^ 1)[3], 1);
}

#[test]
fn a_checksum_skips_the_fields_of_invalid_headers() {
    // The second header is not valid: words 0601 0203.
    let expected = !(0x0601_u16 + 0x0203);
    assert_eq!(run(6, 0)[1..3], expected.to_be_bytes());
}

#[test]
fn the_switch_tells_ports_times_and_queue() {
    let mut switch = Switch::load("headers");
    let frame = packet(8, 0);
    let ingress_us = 0x1234_5678_9abc_def0;
    let egress_us = ingress_us + 5000;
    assert_eq!(switch.ingress(&frame, 300, ingress_us), Some(7));
    let queue = QueueInfo {
        enqueued_at_us: ingress_us + 1,
        enqueue_depth_packets: 0x7_ffff,
        dequeue_depth_packets: 3,
        queue: 0,
    };
    let sent = switch.egress(7, egress_us, queue).unwrap();
    let mut position = 0;
    let mut bits = |count: usize| {
        let bit = |at: usize| u64::from(sent[at / 8] >> (7 - at % 8) & 1);
        position += count;
        (position - count..position).fold(0, |value, at| value << 1 | bit(at))
    };
    assert_eq!(bits(9), 300);
    assert_eq!(bits(9), 7);
    assert_eq!(bits(6), 0);
    assert_eq!(bits(32), frame.len() as u64);
    assert_eq!(bits(48), ingress_us & 0xffff_ffff_ffff);
    assert_eq!(bits(48), egress_us & 0xffff_ffff_ffff);
    assert_eq!(bits(32), (ingress_us + 1) & 0xffff_ffff);
    assert_eq!(bits(19), 0x7_ffff);
    assert_eq!(bits(32), 4999);
    assert_eq!(bits(19), 3);
}

#[test]
fn a_packet_can_be_used_again() {
    let mut switch = Switch::load("headers");
    for _ in 0..3 {
        assert_eq!(switch.send(&packet(1, 5)).unwrap().len(), 13);
        assert_eq!(switch.send(&packet(2, 5)).unwrap().len(), 5);
        assert_eq!(switch.send(&[]).unwrap().len(), 0);
    }
}

#[test]
fn a_frame_that_leaves_more_than_once_gets_its_headers_every_time() {
    let mut switch = Switch::load("headers");
    let emitted = [0xbb, 0, 0, 0, 1, 0, 5, 0xaa, 1, 2, 3];
    let mut expected = vec![0xee, 0xef];
    assert_eq!(switch.ingress(&packet(1, 5), 1, 0), Some(7));
    for _ in 0..50 {
        expected = [&emitted[..], &expected].concat();
        assert_eq!(switch.egress(7, 0, QueueInfo::default()).unwrap(), expected);
    }
}
