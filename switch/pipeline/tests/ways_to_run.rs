//! Packets that somebody watches run instructions one by one, others on their own, and machine code
//! where there is some: all fare alike, in the ABS program and in all test programs.

use crate::support::random::Random;
use pipeline::{BigUint, EgressVerdict, Match, Pipeline, QueueInfo, Verdict};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const STATION: [u8; 6] = [2, 0, 0, 0, 0, 2];
const PORT: u16 = 2;
/// On a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// An EtherType, and how what follows it begins.
const KINDS: [[u8; 3]; 3] = [[8, 0, 0x45], [0x88, 0xb5, 0], [1, 2, 3]];

fn path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(relative)
}

fn load(path: &Path) -> Pipeline {
    let json = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Pipeline::load(&json).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Gives every register's first elements random values.
fn fill_registers(pipeline: &mut Pipeline, random: &mut Random) {
    for register in pipeline.control().registers() {
        let range = BigUint::from(1u8) << register.bitwidth;
        for index in 0..register.size.min(8) {
            let value = BigUint::from(random.wide()) % &range;
            pipeline.control().register_write(&register.name, index, value).unwrap();
        }
    }
}

fn registers(pipeline: &mut Pipeline) -> Vec<(String, Vec<BigUint>)> {
    let registers = pipeline.control().registers();
    let values = |pipeline: &mut Pipeline, name: &str, size: usize| {
        (0..size).map(|index| pipeline.control().register_read(name, index).unwrap()).collect()
    };
    registers
        .into_iter()
        .map(|register| {
            let values = values(pipeline, &register.name, register.size.min(8));
            (register.name, values)
        })
        .collect()
}

/// What becomes of a frame: verdicts, and the bytes that leave.
fn send(
    pipeline: &mut Pipeline,
    frame: &[u8],
    now_us: u64,
    queue: QueueInfo,
) -> (Verdict, Option<EgressVerdict>, Vec<u8>) {
    let mut packet = pipeline.new_packet();
    packet.set_frame(frame);
    let verdict = pipeline.ingress(&mut packet, 1, now_us);
    let egress = match verdict {
        Verdict::Forward(port) => Some(pipeline.egress(&mut packet, port, now_us, queue)),
        _ => None,
    };
    (verdict, egress, packet.frame().to_vec())
}

/// Sends the same random frames through pipelines of one program: one is watched, and one is machine
/// code.
fn compare(path: &Path, frames: usize, prepare: impl Fn(&mut Pipeline)) {
    let mut pipelines = [load(path), load(path), load(path)];
    for pipeline in &mut pipelines {
        prepare(pipeline);
        fill_registers(pipeline, &mut Random::new(7));
    }
    let [watched, alone, compiled] = &mut pipelines;
    watched.set_tracing(true);
    compiled.compile().unwrap();
    let mut random = Random::new(1);
    let mut now_us = 0;
    for _ in 0..frames {
        let mut frame = random.bytes(60);
        frame[..6].copy_from_slice(&STATION);
        frame[12..15].copy_from_slice(random.choose::<[u8; 3]>(&KINDS));
        frame.truncate(30 + random.below(60));
        now_us += random.below(1000) as u64;
        let enqueue_depth_packets = random.below(100) as u32;
        let queue =
            QueueInfo { enqueued_at_us: now_us, enqueue_depth_packets, ..QueueInfo::default() };
        let expected = send(watched, &frame, now_us, queue);
        for other in [&mut *alone, compiled] {
            assert_eq!(
                send(other, &frame, now_us, queue),
                expected,
                "{}: {frame:?}",
                path.display()
            );
        }
        watched.take_trace().for_each(drop);
    }
    for other in [alone, compiled] {
        assert_eq!(registers(other), registers(watched), "{}", path.display());
    }
}

#[test]
fn a_program_becomes_machine_code_when_it_is_hot() {
    // It is compiled in less time than that many packets take.
    let mut pipeline = load(&path("tests/programs/logs.json"));
    let expected = send(&mut pipeline, &STATION, 0, QueueInfo::default());
    let mut packets = 1;
    let start = Instant::now();
    while pipeline.compilation().is_none() {
        assert!(start.elapsed() < PATIENCE, "{packets} packets have made nothing hot");
        assert_eq!(send(&mut pipeline, &STATION, packets, QueueInfo::default()), expected);
        packets += 1;
    }
    assert!(packets >= 10_000, "{packets}");
    assert!(pipeline.compilation().is_some_and(|compilation| compilation.is_ok()));
}

#[test]
fn the_abs_program_does_the_same_in_every_way() {
    compare(&path("../../p4src/build/queue.json"), 400, |pipeline| {
        let (table, action) =
            ("AbsIngress.forwarding.ethernet_forward", "AbsIngress.forwarding.forward");
        let (key, port) = (Match::Exact(STATION.to_vec()), PORT.to_be_bytes().to_vec());
        pipeline.control().table_insert(table, &[key], action, &[port], 0).unwrap();
    });
}

#[test]
fn the_test_programs_do_the_same_in_every_way() {
    let programs = path("tests/programs").read_dir().unwrap().map(|entry| entry.unwrap().path());
    let programs: Vec<PathBuf> =
        programs.filter(|path| path.extension().is_some_and(|name| name == "json")).collect();
    assert!(!programs.is_empty());
    programs.iter().for_each(|program| compare(program, 20, |_| {}));
}
