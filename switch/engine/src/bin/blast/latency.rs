//! Measures how long frames take from one interface to another.
//!
//! From the moment before a frame is handed to the kernel until the kernel receives it at the other
//! interface: the receiver's own wake-up does not count. Frames that are due together, because the
//! generator slept for longer than their interval, are sent one by one.

use std::thread::sleep;
use std::time::{Duration, Instant};

use engine::{unix_time_ns, FrameSender, Interface};

use crate::frames::HEADERS_BYTES;

const NUMBER_BYTES: usize = 8;
/// How long frames may still come after the last one was sent.
const PATIENCE: Duration = Duration::from_millis(500);

/// Sends `count` frames, the given ones in turn; the report is JSON.
pub(crate) fn run(
    [from, to]: [&str; 2],
    frames: &mut [Vec<u8>],
    count: u64,
    frames_per_second: u64,
) -> Result<String, String> {
    let interval = Duration::from_secs(1) / (frames_per_second as u32).max(1);
    let mut sender =
        FrameSender::open(from).map_err(|error| format!("interface {from}: {error}"))?;
    let mut receiver = Interface::open(0, to).map_err(|error| error.to_string())?;
    let mut measured = Measured { sent_at_ns: Vec::new(), latencies_ns: Vec::new() };
    let start = Instant::now();
    for number in 0..count {
        sleep((interval * number as u32).saturating_sub(start.elapsed()));
        let variants = frames.len() as u64;
        let frame = &mut frames[(number % variants) as usize];
        frame[HEADERS_BYTES..HEADERS_BYTES + NUMBER_BYTES].copy_from_slice(&number.to_be_bytes());
        measured.sent_at_ns.push(unix_time_ns());
        sender.send(std::iter::once(frame.as_slice()));
        measured.receive(&mut receiver);
    }
    let seconds = start.elapsed().as_secs_f64();
    sleep(PATIENCE);
    measured.receive(&mut receiver);
    Ok(measured.report(seconds))
}

struct Measured {
    /// By the frames' numbers.
    sent_at_ns: Vec<u64>,
    latencies_ns: Vec<u64>,
}

impl Measured {
    /// Takes all frames that have come.
    fn receive(&mut self, receiver: &mut Interface) {
        while let Some(received_at_ns) = receiver.next_received_at_ns() {
            receiver.receive(|frame| {
                let number = frame.get(HEADERS_BYTES..HEADERS_BYTES + NUMBER_BYTES);
                let number = number.and_then(|bytes| bytes.try_into().ok()).map(u64::from_be_bytes);
                let sent_at_ns = number.and_then(|number| self.sent_at_ns.get(number as usize));
                self.latencies_ns.extend(sent_at_ns.map(|at_ns| received_at_ns - at_ns));
            });
        }
    }

    /// `seconds` is for how long frames were sent.
    fn report(mut self, seconds: f64) -> String {
        self.latencies_ns.sort_unstable();
        let quantile_s = |quantile: f64| {
            let rank = (self.latencies_ns.len() as f64 * quantile) as usize;
            self.latencies_ns.get(rank).map_or("null".into(), |&ns| (ns as f64 / 1e9).to_string())
        };
        format!(
            "{{\"sent_packets\":{},\"received_packets\":{},\"seconds\":{seconds},\
             \"median_s\":{},\"p99_s\":{}}}",
            self.sent_at_ns.len(),
            self.latencies_ns.len(),
            quantile_s(0.5),
            quantile_s(0.99),
        )
    }
}
