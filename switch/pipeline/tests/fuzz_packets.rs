//! Hostile packets: whatever arrives, both ABS programs decide and go on.

mod support;

use pipeline::{EgressVerdict, Match, Packet, Pipeline, QueueInfo, Verdict};
use support::random::Random;

const PACKETS: usize = 1_000_000;
const CPU_PORT: u16 = 510;
const STATION: [u8; 6] = [2, 0, 0, 0, 0, 2];
const ROUTER: [u8; 6] = [2, 0, 0, 0, 0, 0xff];
const PACKET_IN_BYTES: usize = 54;
const PACKET_OUT_BYTES: usize = 23;

fn load(program: &str) -> Pipeline {
    let path = format!("{}/../../p4src/build/{program}.json", env!("CARGO_MANIFEST_DIR"));
    let json = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut pipeline = Pipeline::load(&json).unwrap();
    let mut control = pipeline.control();
    let route = [vec![3], ROUTER.to_vec(), STATION.to_vec()];
    for (table, key, action, arguments) in [
        ("ethernet_forward", Match::Exact(STATION.to_vec()), "forward", &route[..1]),
        ("ipv4_route", Match::Any, "route_ipv4", &route[..]),
        ("ipv6_route", Match::Any, "route_ipv6", &route[..]),
    ] {
        let table = format!("AbsIngress.forwarding.{table}");
        let action = format!("AbsIngress.forwarding.{action}");
        control.table_insert(&table, &[key], &action, arguments, 0).unwrap();
    }
    pipeline
}

/// Frames that the program understands, to be damaged.
fn templates() -> Vec<Vec<u8>> {
    let ethernet = |kind: [u8; 2]| [&STATION[..], &ROUTER, &kind].concat();
    let mut ipv4 = [&ethernet([0x08, 0x00])[..], &[0x45, 0, 0, 40], &[0; 4], &[64, 17]].concat();
    ipv4.extend([0x66, 0xbb, 10, 0, 0, 1, 10, 0, 0, 2]);
    ipv4.extend([0; 30]);
    let mut ipv6 = [&ethernet([0x86, 0xdd])[..], &[0x60, 0, 0, 0, 0, 20, 17, 64]].concat();
    ipv6.extend([0x20; 52]);
    let mut routed = ipv4.clone();
    routed[..6].copy_from_slice(&ROUTER);
    let mailbox = [&[3, 0, 2], &[0; 20][..]].concat();
    vec![ipv4, ipv6, routed, mailbox, ethernet([0x12, 0x34])]
}

/// A random frame, or a damaged good one.
fn hostile(random: &mut Random, templates: &[Vec<u8>]) -> Vec<u8> {
    if random.below(4) == 0 {
        let length = random.below(200);
        return random.bytes(length);
    }
    let mut frame = random.choose(templates).clone();
    for _ in 0..random.below(4) {
        let position = random.below(frame.len());
        frame[position] ^= 1 << random.below(8);
    }
    match random.below(4) {
        0 => frame.truncate(random.below(frame.len() + 1)),
        1 => {
            let length = random.below(1500);
            frame.extend(random.bytes(length));
        }
        _ => {}
    }
    frame
}

/// Sends a frame through; the lengths of what comes out are right.
fn run(pipeline: &mut Pipeline, packet: &mut Packet, frame: &[u8], port: u16, now_us: u64) -> bool {
    packet.set_frame(frame);
    let Verdict::Forward(egress_port) = pipeline.ingress(packet, port, now_us) else {
        return false;
    };
    assert!(egress_port < 512);
    let queue = QueueInfo { enqueued_at_us: now_us, ..QueueInfo::default() };
    assert_eq!(pipeline.egress(packet, egress_port, now_us + 1, queue), EgressVerdict::Emit);
    let expected = match port {
        CPU_PORT => frame.len() - PACKET_OUT_BYTES + PACKET_IN_BYTES,
        _ => frame.len(),
    };
    assert_eq!(packet.frame().len(), expected);
    true
}

fn fuzz(program: &str, seed: u64) {
    let mut pipeline = load(program);
    let mut packet = pipeline.new_packet();
    let mut random = Random::new(seed);
    let templates = templates();
    let mut forwarded = 0;
    for _ in 0..PACKETS {
        let frame = hostile(&mut random, &templates);
        let port = *random.choose(&[CPU_PORT, 0, 1, 511, 65535]);
        let now_us = random.bits();
        forwarded += usize::from(run(&mut pipeline, &mut packet, &frame, port, now_us));
    }
    assert!((PACKETS / 10..PACKETS).contains(&forwarded), "{forwarded} were forwarded");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "needs optimization: cargo test --release")]
fn a_million_hostile_packets_pass_through_the_queue_program() {
    fuzz("queue", 1);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "needs optimization: cargo test --release")]
fn a_million_hostile_packets_pass_through_the_virtual_queue_program() {
    fuzz("virtual_queue", 2);
}
