//! Packets are reused, copies, too; and a turn has an end, whatever packets do.

use std::path::Path;

use pipeline::Pipeline;

use super::*;
use crate::replication::{CloneSession, Replica};

/// Frames for `replication.p4` of the pipeline's tests: what ingress and egress do with them.
const REQUESTS: [[u8; 2]; 8] = [[0, 0], [1, 0], [2, 0], [4, 0], [7, 0], [0, 1], [0, 7], [0, 15]];

fn program() -> Pipeline {
    let path = "../pipeline/tests/programs/replication.json";
    let json = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    Pipeline::load(&json).unwrap()
}

fn switch() -> Switch {
    let mut switch = Switch::new((1..=4).map(PortConfig::new).collect(), None).unwrap();
    switch.replace(program());
    let replicas: Vec<_> = (1..=4).map(|port| Replica::new(port, port)).collect();
    let session = CloneSession { replicas: replicas.clone(), ..CloneSession::default() };
    switch.replication().groups.insert(1, replicas.into()).unwrap();
    switch.replication().sessions.insert(1, session).unwrap();
    switch
}

/// Sends every kind of frame ten times and lets all of them leave.
fn round(switch: &mut Switch) {
    let now_ns = switch.now_ns();
    for [ingress, egress] in REQUESTS.repeat(10) {
        let frame = [&[ingress, egress, 0, 1, 2, 0][..], &[0; 100]].concat();
        switch.inject(1, frame, now_ns).unwrap();
    }
    switch.run_until(now_ns + 1_000_000).unwrap();
    let mut departures = Vec::new();
    switch.take_departures(&mut departures);
    assert!(departures.len() > 10 * REQUESTS.len());
    switch.recycle(&mut departures);
}

#[test]
fn copies_take_their_packets_from_the_pool() {
    let mut switch = switch();
    round(&mut switch);
    // All packets that were ever made are back now.
    let made = switch.processor.spare_packets();
    for _ in 0..10 {
        round(&mut switch);
        assert_eq!(switch.processor.spare_packets(), made);
    }
}

const PASSES: u64 = 64;

/// Frames that egress lets recirculate for ever, that ingress resubmits for ever, and of which egress
/// makes copies for ever, of copies, too.
const ENDLESS: [[u8; 2]; 3] = [[0, 13], [3, 0], [0, 14]];

/// A request to `replication.p4`, for group or session 1 and port 2.
fn request([ingress, egress]: [u8; 2]) -> Vec<u8> {
    [&[ingress, egress, 0, 1, 2, 0][..], &[0; 100]].concat()
}

/// Takes a turn; tells how far virtual time has gone on in it.
fn turn(switch: &mut Switch, until: SwitchTime) -> u64 {
    let before_ns = switch.now_ns();
    switch.begin_turn(PASSES);
    switch.advance(until);
    switch.now_ns() - before_ns
}

#[test]
fn a_turn_ends_after_its_passes_whatever_packets_do() {
    for endless in ENDLESS {
        let mut switch = switch();
        switch.arrive(1, &request(endless));
        for _ in 0..10 {
            let until = switch.now().after_ns(1_000_000);
            let passed_ns = turn(&mut switch, until);
            assert!(switch.turn_is_over(), "{endless:?}");
            // A packet is back after a microsecond, and has at least one run then.
            assert!((1..=(PASSES + 1) * 1_000).contains(&passed_ns), "{endless:?}: {passed_ns} ns");
        }
    }
}

#[test]
fn turns_one_after_the_other_do_what_one_without_end_does() {
    let departures = |turns: bool| {
        let mut switch = switch();
        for what in REQUESTS {
            switch.arrive(1, &request(what));
        }
        let until = SwitchTime::from_nanos(100_000);
        switch.begin_turn(if turns { 1 } else { u64::MAX });
        switch.advance(until);
        while switch.turn_is_over() {
            switch.begin_turn(1);
            switch.advance(until);
        }
        let mut departures = Vec::new();
        switch.take_departures(&mut departures);
        let seen =
            |departure: &Departure| (departure.at_ns, departure.port, departure.frame().to_vec());
        departures.iter().map(seen).collect::<Vec<_>>()
    };
    let at_once = departures(false);
    assert!(at_once.len() > REQUESTS.len());
    assert_eq!(departures(true), at_once);
}

#[test]
fn copies_for_which_a_turn_had_no_time_are_accounted_for_and_leave_in_the_next_one() {
    let mut switch = switch();
    switch.begin_turn(1);
    switch.arrive(1, &request([4, 0]));
    let mut departures = Vec::new();
    switch.take_departures(&mut departures);
    assert_eq!((departures.len(), switch.statistics().returning.packets), (0, 4));
    turn(&mut switch, SwitchTime::default());
    switch.take_departures(&mut departures);
    assert_eq!((departures.len(), switch.statistics().returning.packets), (4, 0));
}

#[test]
fn a_new_program_discards_copies_that_have_not_been_queued() {
    let mut one = switch();
    one.begin_turn(1);
    one.arrive(1, &request([4, 0]));
    one.replace(program());
    assert_eq!((one.statistics().returning.packets, one.statistics().flushed.packets), (0, 4));
}

#[test]
fn packets_that_come_back_too_fast_come_later_and_hold_up_no_frame() {
    let mut switch = switch();
    switch.arrive(1, &request([0, 13]));
    turn(&mut switch, SwitchTime::from_nanos(1_000_000));
    let soon = switch.now().after_ns(MAX_LATE.as_nanos() as u64);
    assert!(!switch.put_off_late_returns(soon), "they may catch up");
    let now = soon.after_ns(1_000_000);
    assert!(switch.put_off_late_returns(now));
    assert_eq!(switch.processor.loopback.next_arrival(), Some(now));
    let before = now.after_ns(0).nanos() - 1;
    turn(&mut switch, SwitchTime::from_nanos(before));
    assert!(!switch.turn_is_over(), "other frames need not wait");
    turn(&mut switch, now);
    assert_eq!(switch.processor.loopback.next_arrival(), Some(now.after_ns(1_000)), "it goes on");
}
