//! The least and the greatest backlog of a window, and which window they are of.

use crate::support::bottleneck::*;
use engine::Switch;

fn start_window(switch: &mut Switch, number: u32) -> Reply {
    mailbox(switch, MAILBOX_START_BACKLOG_WINDOW, number, 0)
}

fn extremes(reply: &Reply) -> (u64, u64, u32) {
    (reply.least_backlog_bytes, reply.greatest_backlog_bytes, reply.backlog_window)
}

/// Ten frames wait behind one that is in transmission from 0 to 1 ms, and so on.
fn standing_queue() -> Switch {
    let mut switch = switch(bottleneck(None));
    inject(&mut switch, 11, FRAME_BYTES, 0);
    run(&mut switch, 0);
    switch
}

#[test]
fn a_window_begins_with_the_backlog_of_its_request() {
    let mut switch = standing_queue();
    assert_eq!(extremes(&start_window(&mut switch, 7)), (0, 10_000, 0));
    assert_eq!(extremes(&snapshot(&mut switch)), (10_000, 10_000, 7));
}

#[test]
fn the_least_is_what_a_packet_finds_and_the_greatest_what_it_leaves() {
    let mut switch = standing_queue();
    start_window(&mut switch, 7);
    inject(&mut switch, 1, 500, MS / 2);
    inject(&mut switch, 1, 500, 4 * MS + MS / 2);
    run(&mut switch, 5 * MS);
    assert_eq!(extremes(&start_window(&mut switch, 8)), (6_000, 10_500, 7));
    assert_eq!(extremes(&snapshot(&mut switch)), (6_000, 6_000, 8));
}

#[test]
fn a_dropped_packet_finds_a_backlog_and_adds_nothing_to_it() {
    let mut switch = standing_queue();
    start_window(&mut switch, 7);
    set_limit(&mut switch, 1);
    inject(&mut switch, 1, FRAME_BYTES, 2 * MS + MS / 2);
    run(&mut switch, 3 * MS);
    assert_eq!(register(&mut switch, "least_backlog_bytes"), 8_000);
    assert_eq!(register(&mut switch, "greatest_backlog_bytes"), 10_000);
}

#[test]
fn the_request_that_ends_a_window_is_its_last_observation() {
    let mut switch = standing_queue();
    start_window(&mut switch, 7);
    run(&mut switch, 3 * MS + MS / 2);
    assert_eq!(extremes(&start_window(&mut switch, 8)), (7_000, 10_000, 7));
}

#[test]
fn a_number_in_the_register_starts_a_window_with_the_next_packet() {
    let mut switch = standing_queue(); // the first packet has found it empty
    run(&mut switch, 2 * MS + MS / 2);
    switch.control().unwrap().register_write("backlog_window", 2, 9u32).unwrap();
    assert_eq!(register(&mut switch, "measured_window"), 0);
    inject(&mut switch, 1, 500, 4 * MS + MS / 2);
    run(&mut switch, 5 * MS);
    assert_eq!(register(&mut switch, "measured_window"), 9);
    assert_eq!(register(&mut switch, "least_backlog_bytes"), 6_000);
    assert_eq!(register(&mut switch, "greatest_backlog_bytes"), 6_500);
}

#[test]
fn a_request_without_the_flag_leaves_the_window_alone() {
    let mut switch = standing_queue();
    start_window(&mut switch, 7);
    mailbox(&mut switch, MAILBOX_WRITE_QUEUE_LIMIT, 8, 50_000);
    assert_eq!(extremes(&snapshot(&mut switch)), (10_000, 10_000, 7));
}
