//! Measures how many packets per second a pipeline processes on one core: parser, ingress,
//! egress and deparser of IPv4 frames that one entry of a table forwards. Seconds are those that
//! the scheduler gave to this thread, so other load on the machine does not count.
//!
//!     cargo run --release --example throughput -- ../../p4src/build/queue.json
//!
//! Prints one line of JSON: packets per second by frame size in bytes.

use pipeline::{EgressVerdict, Match, Pipeline, QueueInfo, Verdict};
use std::process::ExitCode;
use std::time::Duration;

const FRAME_BYTES: [usize; 3] = [64, 512, 1500];
const MEASURED: Duration = Duration::from_secs(1);
const BATCH: u64 = 4096;
const FORWARDING_TABLE: &str = "AbsIngress.forwarding.ethernet_forward";
const FORWARDING_ACTION: &str = "AbsIngress.forwarding.forward";
const INGRESS_PORT: u16 = 1;
const EGRESS_PORT: u8 = 2;
const DESTINATION: [u8; 6] = [2, 0, 0, 0, 0, 2];

fn main() -> ExitCode {
    match std::env::args().nth(1).ok_or("usage: throughput PROGRAM.json".into()).and_then(measure) {
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
fn measure(path: String) -> Result<String, String> {
    let json = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
    let mut pipeline = Pipeline::load(&json).map_err(|error| format!("{path}: {error}"))?;
    pipeline
        .control()
        .table_insert(
            FORWARDING_TABLE,
            &[Match::Exact(DESTINATION.to_vec())],
            FORWARDING_ACTION,
            &[vec![EGRESS_PORT]],
            0,
        )
        .map_err(|error| format!("{path}: {error}"))?;
    let rates: Vec<String> = FRAME_BYTES
        .iter()
        .map(|&bytes| format!("\"{bytes}\": {:.0}", packets_per_second(&mut pipeline, bytes)))
        .collect();
    Ok(format!("{{\"program\": {path:?}, \"pps\": {{{}}}}}", rates.join(", ")))
}

fn packets_per_second(pipeline: &mut Pipeline, frame_bytes: usize) -> f64 {
    let frame = ipv4_frame(frame_bytes);
    let mut packet = pipeline.new_packet();
    let start = cpu_time();
    let mut packets = 0;
    while cpu_time() - start < MEASURED {
        for now_us in packets..packets + BATCH {
            packet.set_frame(&frame);
            let verdict = pipeline.ingress(&mut packet, INGRESS_PORT, now_us);
            assert_eq!(verdict, Verdict::Forward(EGRESS_PORT.into()));
            let queue = QueueInfo { enqueued_at_us: now_us, ..QueueInfo::default() };
            let verdict = pipeline.egress(&mut packet, EGRESS_PORT.into(), now_us, queue);
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

/// An Ethernet frame with an IPv4 header whose checksum is right.
fn ipv4_frame(bytes: usize) -> Vec<u8> {
    let mut frame = vec![0; bytes];
    frame[..6].copy_from_slice(&DESTINATION);
    frame[6..12].copy_from_slice(&[2, 0, 0, 0, 0, 1]);
    frame[12..14].copy_from_slice(&[0x08, 0x00]);
    let header = &mut frame[14..34];
    header[0] = 0x45;
    header[2..4].copy_from_slice(&(bytes as u16 - 14).to_be_bytes());
    header[8] = 64;
    header[9] = 17;
    header[12..16].copy_from_slice(&[10, 0, 0, 1]);
    header[16..20].copy_from_slice(&[10, 0, 0, 2]);
    let sum: u32 = header.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1])).sum();
    let checksum = !((sum & 0xffff) + (sum >> 16)) as u16;
    header[10..12].copy_from_slice(&checksum.to_be_bytes());
    frame
}
