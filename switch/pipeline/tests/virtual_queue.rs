//! The virtual-queue build on timestamps that go back, as BMv2's do between its input threads.

use pipeline::{EgressVerdict, Match, Pipeline, QueueInfo, Verdict};
use std::path::Path;

const STATION: [u8; 6] = [2, 0, 0, 0, 0, 2];
const PORT: u16 = 2;
const FRAME_BYTES: usize = 1000;
const BYTES_PER_SECOND: u128 = 1_048_576; // one byte per 2^20 us and unit of drain_rate

fn pipeline() -> Pipeline {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4src/build/virtual_queue.json");
    let json = std::fs::read(path).expect("compiled products are checked in");
    let mut pipeline = Pipeline::load(&json).unwrap();
    let mut control = pipeline.control();
    control
        .table_insert(
            "AbsIngress.forwarding.ethernet_forward",
            &[Match::Exact(STATION.to_vec())],
            "AbsIngress.forwarding.forward",
            &[PORT.to_be_bytes().to_vec()],
            0,
        )
        .unwrap();
    control.register_write("drain_rate", PORT.into(), BYTES_PER_SECOND).unwrap();
    pipeline
}

fn forward(pipeline: &mut Pipeline, now_us: u64) {
    let mut packet = pipeline.new_packet();
    let mut frame = [&STATION[..], &[2, 0, 0, 0, 0, 9, 0x88, 0xb5]].concat();
    frame.resize(FRAME_BYTES, 0);
    packet.set_frame(&frame);
    assert_eq!(pipeline.ingress(&mut packet, 1, now_us), Verdict::Forward(PORT));
    let verdict = pipeline.egress(&mut packet, PORT, now_us, QueueInfo::default());
    assert_eq!(verdict, EgressVerdict::Emit);
}

fn register(pipeline: &mut Pipeline, name: &str) -> u128 {
    pipeline.control().register_read(name, PORT.into()).unwrap().try_into().unwrap()
}

#[test]
fn a_timestamp_that_goes_back_drains_nothing_and_does_not_turn_the_clock_back() {
    let mut pipeline = pipeline();
    forward(&mut pipeline, 1_000);
    forward(&mut pipeline, 990);
    assert_eq!(register(&mut pipeline, "admitted_bytes"), 2 * FRAME_BYTES as u128);
    assert_eq!(register(&mut pipeline, "departed_bytes"), 0);
    assert_eq!(register(&mut pipeline, "departed_at_us"), 1_000);
}

#[test]
fn the_backlog_drains_at_the_drain_rate() {
    let mut pipeline = pipeline();
    forward(&mut pipeline, 0);
    forward(&mut pipeline, 500);
    assert_eq!(register(&mut pipeline, "departed_bytes"), 500);
    forward(&mut pipeline, 100_000);
    assert_eq!(register(&mut pipeline, "departed_bytes"), 2 * FRAME_BYTES as u128);
}
