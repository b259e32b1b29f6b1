//! Packets are reused, copies, too.

use std::path::Path;

use pipeline::Pipeline;

use super::*;
use crate::replication::{CloneSession, Replica};

/// Frames for `replication.p4` of the pipeline's tests: what ingress and egress do with them.
const REQUESTS: [[u8; 2]; 8] = [[0, 0], [1, 0], [2, 0], [4, 0], [7, 0], [0, 1], [0, 7], [0, 15]];

fn switch() -> Switch {
    let path = "../pipeline/tests/programs/replication.json";
    let json = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let mut switch = Switch::new((1..=4).map(PortConfig::new).collect(), None).unwrap();
    switch.replace(Pipeline::load(&json).unwrap());
    let replicas: Vec<_> = (1..=4).map(|port| Replica::new(port, port)).collect();
    let session = CloneSession { replicas: replicas.clone(), ..CloneSession::default() };
    switch.replication().insert_group(1, replicas).unwrap();
    switch.replication().insert_session(1, session).unwrap();
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
