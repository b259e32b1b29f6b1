//! What programs send to the control plane besides frames: digests and lines of their log.

use engine::{PortConfig, Switch};
use pipeline::{Digest, Pipeline};

/// A program of the pipeline's tests.
fn program(name: &str) -> Pipeline {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../pipeline/tests/programs");
    let json = std::fs::read(format!("{directory}/{name}.json")).unwrap();
    Pipeline::load(&json).unwrap()
}

fn switch(name: &str) -> Switch {
    let mut switch = Switch::new(vec![PortConfig::new(1), PortConfig::new(2)], None).unwrap();
    drop(switch.replace(program(name)));
    switch
}

fn send(switch: &mut Switch, frame: &[u8]) {
    let now_ns = switch.now_ns();
    switch.inject(2, frame.to_vec(), now_ns).unwrap();
    switch.run_until(now_ns + 1_000).unwrap();
}

/// A frame that asks `digests.p4` for a digest of one field.
fn frame_with_digest(value: u8) -> [u8; 8] {
    [2, 0, 0, 0, 0, 0, 0, value]
}

fn digest(value: u8) -> Digest {
    Digest { name: "other_t".into(), fields: vec![vec![value]] }
}

#[test]
fn every_packet_sends_its_digest_in_order() {
    let mut switch = switch("digests");
    for value in 0..5 {
        send(&mut switch, &frame_with_digest(value));
    }
    let taken = switch.queues().digests.take();
    assert_eq!(taken, (0..5).map(digest).collect::<Vec<_>>());
}

#[test]
fn digests_that_nobody_takes_are_counted_and_a_new_program_discards_the_rest() {
    let mut switch = switch("digests");
    for value in 0..5_000 {
        send(&mut switch, &frame_with_digest(value as u8));
    }
    assert_eq!(switch.queues().digests.overflowed(), 5_000 - 4_096);
    drop(switch.replace(program("digests")));
    assert_eq!(switch.queues().digests.take(), []);
}

#[test]
fn a_program_logs_to_the_switch_that_it_comes_to() {
    let mut switch = switch("digests");
    drop(switch.replace(program("logs")));
    send(&mut switch, &[0; 19]);
    let lines = switch.queues().log.take();
    assert_eq!(lines, ["nothing to say", "egress 0"]);
}
