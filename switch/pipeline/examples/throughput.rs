//! Measures how many packets per second a pipeline processes on one core: parser, ingress,
//! egress and deparser of IPv4 frames that the tables forward. Seconds are those that the scheduler
//! gave to this thread, so other load on the machine does not count.
//!
//!     cargo run --release --example throughput -- PROGRAM.json ENTRIES.json DESTINATIONS
//!
//! The frames go to DESTINATIONS addresses in turn, spread over 10.0.0.0/8. ENTRIES.json is a list
//! of `{"table": T, "key": [FIELD, ...], "action": A, "arguments": [HEX, ...]}`, a field
//! `{"value": HEX}` (exact) or `{"value": HEX, "prefix_length": N}`. Prints one line of JSON: medians
//! of the seconds that the program takes to load and to become machine code (null where it cannot),
//! and packets per second by frame size in bytes.

use pipeline::{EgressVerdict, Match, Pipeline, QueueInfo, Verdict};
use serde::Deserialize;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: throughput PROGRAM.json ENTRIES.json DESTINATIONS";
const FRAME_BYTES: [usize; 3] = [64, 512, 1500];
const MEASURED: Duration = Duration::from_secs(1);
const BATCH: u64 = 4096;
const PREPARATIONS: usize = 9;
const INGRESS_PORT: u16 = 1;
const STATION: [u8; 6] = [2, 0, 0, 0, 0, 2];
/// An odd number: its multiples modulo 2^24 are all different, and far apart.
const DESTINATION_STEP: u32 = 0x9e_3779;

#[derive(Deserialize)]
struct Entry {
    table: String,
    key: Vec<Field>,
    action: String,
    arguments: Vec<String>,
}

#[derive(Deserialize)]
struct Field {
    value: String,
    prefix_length: Option<u32>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.as_slice() {
        [program, entries, destinations] => measure(program, entries, destinations),
        _ => Err(USAGE.into()),
    };
    match result {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// The line of JSON for a program.
fn measure(program: &str, entries: &str, destinations: &str) -> Result<String, String> {
    let read = |path: &str| std::fs::read(path).map_err(|error| format!("{path}: {error}"));
    let json = read(program)?;
    let load = || Pipeline::load(&json).map_err(|error| format!("{program}: {error}"));
    let (load_s, compile_s) = preparation_s(load)?;
    let mut pipeline = load()?;
    let list: Vec<Entry> =
        serde_json::from_slice(&read(entries)?).map_err(|error| format!("{entries}: {error}"))?;
    for entry in &list {
        insert(&mut pipeline, entry).map_err(|error| format!("{entries}: {error}"))?;
    }
    let compile_s = match pipeline.compile() {
        Ok(()) => compile_s.to_string(),
        Err(_) => "null".to_owned(),
    };
    let destinations: u32 = destinations.parse().map_err(|_| USAGE.to_owned())?;
    let rates: Vec<String> = FRAME_BYTES
        .iter()
        .map(|&bytes| {
            let rate = packets_per_second(&mut pipeline, bytes, destinations);
            format!("\"{bytes}\": {rate:.0}")
        })
        .collect();
    let rates = rates.join(", ");
    Ok(format!(
        "{{\"program\": {program:?}, \"load_s\": {load_s}, \"compile_s\": {compile_s}, \"pps\": {{{rates}}}}}"
    ))
}

/// Seconds to load a program and to compile it: medians.
fn preparation_s(load: impl Fn() -> Result<Pipeline, String>) -> Result<(f64, f64), String> {
    let (mut loads, mut compilations) = (Vec::new(), Vec::new());
    for _ in 0..PREPARATIONS {
        let start = Instant::now();
        let pipeline = load()?;
        loads.push(start.elapsed());
        let start = Instant::now();
        // Whether it can be compiled is for the caller to see.
        let _ = pipeline.compile();
        compilations.push(start.elapsed());
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times[PREPARATIONS / 2].as_secs_f64()
    };
    Ok((median(&mut loads), median(&mut compilations)))
}

fn insert(pipeline: &mut Pipeline, entry: &Entry) -> Result<(), String> {
    let key: Vec<Match> = entry
        .key
        .iter()
        .map(|field| {
            let value = bytes(&field.value)?;
            Ok(match field.prefix_length {
                None => Match::Exact(value),
                Some(prefix_length) => Match::Lpm { value, prefix_length },
            })
        })
        .collect::<Result<_, String>>()?;
    let arguments: Vec<Vec<u8>> =
        entry.arguments.iter().map(|text| bytes(text)).collect::<Result<_, _>>()?;
    pipeline
        .control()
        .table_insert(&entry.table, &key, &entry.action, &arguments, 0)
        .map_err(|error| error.to_string())
}

/// The bytes of an even number of hexadecimal digits.
fn bytes(hex: &str) -> Result<Vec<u8>, String> {
    let digits = |start| hex.get(start..start + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
    (0..hex.len())
        .step_by(2)
        .map(|start| digits(start).ok_or_else(|| format!("{hex}: not hexadecimal")))
        .collect()
}

fn packets_per_second(pipeline: &mut Pipeline, frame_bytes: usize, destinations: u32) -> f64 {
    let frames: Vec<_> = (0..destinations).map(|number| ipv4_frame(number, frame_bytes)).collect();
    let mut frames = frames.iter().cycle();
    let mut packet = pipeline.new_packet();
    let start = cpu_time();
    let mut packets = 0;
    while cpu_time() - start < MEASURED {
        for (now_us, frame) in (packets..packets + BATCH).zip(&mut frames) {
            packet.set_frame(frame);
            let Verdict::Forward(port) = pipeline.ingress(&mut packet, INGRESS_PORT, now_us) else {
                panic!("ingress does not forward every frame");
            };
            let queue = QueueInfo { enqueued_at_us: now_us, ..QueueInfo::default() };
            let verdict = pipeline.egress(&mut packet, port, now_us, queue);
            assert_eq!(verdict, EgressVerdict::Emit);
        }
        packets += BATCH;
    }
    packets as f64 / (cpu_time() - start).as_secs_f64()
}

/// The time that this thread has run: the first number of Linux's `schedstat`, in nanoseconds.
fn cpu_time() -> Duration {
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let run_ns = schedstat.split(' ').next().and_then(|number| number.parse().ok());
    Duration::from_nanos(run_ns.expect("Linux counts the time of threads"))
}

/// An Ethernet frame with an IPv4 header whose checksum is right, to the destination of a number.
fn ipv4_frame(number: u32, bytes: usize) -> Vec<u8> {
    let host = DESTINATION_STEP.wrapping_mul(number).wrapping_add(2) & 0xff_ffff;
    let mut frame = vec![0; bytes];
    frame[..6].copy_from_slice(&STATION);
    frame[6..12].copy_from_slice(&[2, 0, 0, 0, 0, 1]);
    frame[12..14].copy_from_slice(&[0x08, 0x00]);
    let header = &mut frame[14..34];
    header[0] = 0x45;
    header[2..4].copy_from_slice(&(bytes as u16 - 14).to_be_bytes());
    header[8] = 64;
    header[9] = 17;
    header[12..16].copy_from_slice(&[10, 0, 0, 1]);
    header[16..20].copy_from_slice(&(10 << 24 | host).to_be_bytes());
    let sum: u32 = header.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1])).sum();
    let checksum = !((sum & 0xffff) + (sum >> 16)) as u16;
    header[10..12].copy_from_slice(&checksum.to_be_bytes());
    frame
}
