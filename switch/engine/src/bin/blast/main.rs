//! A packet generator that measures what its frames meet.
//!
//! `blast load INTERFACE STATION_MAC DESTINATIONS FRAME_BYTES FRAMES FRAMES_PER_SECOND` offers UDP
//! frames (a rate of 0: as fast as it goes) and prints
//! `{"sent_packets":N,"refused_packets":N,"seconds":S}`. `blast plain` does the same, not by the
//! engine's way to send, but by one call of `sendto` for each frame.
//!
//! `blast latency INTERFACE RECEIVER STATION_MAC DESTINATIONS FRAME_BYTES FRAMES FRAMES_PER_SECOND`
//! waits for them at the interface RECEIVER and prints
//! `{"sent_packets":N,"received_packets":N,"seconds":S,"median_s":S,"p99_s":S}`; the seconds are
//! those of sending, and where nothing came the others are null.
//!
//! The frames go to DESTINATIONS IPv4 addresses in turn, spread over 10.0.0.0/8.
#![forbid(unsafe_code)]

mod frames;
mod latency;
mod load;
mod plain;

use std::process::ExitCode;

use engine::FrameSender;
use plain::Plain;

const USAGE: &str = "usage: blast load|plain INTERFACE | blast latency INTERFACE RECEIVER, then \
                     STATION_MAC DESTINATIONS FRAME_BYTES FRAMES FRAMES_PER_SECOND";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("blast: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[&str]) -> Result<String, String> {
    match *arguments {
        [way @ ("load" | "plain"), interface, station, ref numbers @ ..] => {
            let [destinations, frame_bytes, count, rate] = parse(numbers)?;
            let frames = frames::frames(station, destinations, frame_bytes as usize)?;
            let run = if way == "load" { load::run::<FrameSender> } else { load::run::<Plain> };
            run(interface, &frames, count, rate)
        }
        ["latency", from, to, station, ref numbers @ ..] => {
            let [destinations, frame_bytes, count, rate] = parse(numbers)?;
            let mut frames = frames::frames(station, destinations, frame_bytes as usize)?;
            latency::run([from, to], &mut frames, count, rate)
        }
        _ => Err(USAGE.into()),
    }
}

fn parse(numbers: &[&str]) -> Result<[u64; 4], String> {
    let number = |text: &str| text.parse::<u64>().map_err(|error| format!("{text}: {error}"));
    let [a, b, c, d] = numbers else {
        return Err(USAGE.into());
    };
    Ok([number(a)?, number(b)?, number(c)?, number(d)?])
}
