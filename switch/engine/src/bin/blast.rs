//! A packet generator: offers UDP frames on an interface and reports what the interface took.
//!
//! `blast INTERFACE DESTINATION_MAC DESTINATIONS FRAME_BYTES FRAMES FRAMES_PER_SECOND` (0: as fast
//! as it goes) prints `{"sent_packets":N,"refused_packets":N,"seconds":S}`. The frames go to
//! DESTINATIONS IPv4 addresses in turn, spread over 10.0.0.0/8.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::thread::sleep;
use std::time::{Duration, Instant};

use engine::{FrameSender, SEND_BATCH};

const USAGE: &str =
    "blast INTERFACE DESTINATION_MAC DESTINATIONS FRAME_BYTES FRAMES FRAMES_PER_SECOND";
const HEADERS_BYTES: usize = 14 + 20 + 8;
const SOURCE_MAC: [u8; 6] = [2, 0, 0, 0, 0xb1, 0xa5];
const MAX_DESTINATIONS: u32 = 1 << 16;
/// An odd number: its multiples modulo 2^24 are all different, and far apart.
const DESTINATION_STEP: u32 = 0x9e_3779;

struct Load {
    interface: String,
    /// One for each destination.
    variants: Vec<Vec<u8>>,
    frames: u64,
    frames_per_second: u64,
}

struct Report {
    sent: u64,
    refused: u64,
    elapsed: Duration,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match parse(&arguments).and_then(|load| blast(&load)) {
        Ok(Report { sent, refused, elapsed }) => {
            let seconds = elapsed.as_secs_f64();
            println!(
                "{{\"sent_packets\":{sent},\"refused_packets\":{refused},\"seconds\":{seconds}}}"
            );
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("blast: {message}");
            ExitCode::from(2)
        }
    }
}

fn parse(arguments: &[String]) -> Result<Load, String> {
    let [interface, station, destinations, frame_bytes, frames, frames_per_second] = arguments
    else {
        return Err(format!("usage: {USAGE}"));
    };
    let number = |text: &String| text.parse::<u64>().map_err(|error| format!("{text}: {error}"));
    let (station, frame_bytes) = (parse_mac(station)?, number(frame_bytes)? as usize);
    let addresses = destination_addresses(number(destinations)?)?;
    Ok(Load {
        interface: interface.clone(),
        variants: addresses
            .map(|address| udp_frame(station, address, frame_bytes))
            .collect::<Result<_, _>>()?,
        frames: number(frames)?,
        frames_per_second: number(frames_per_second)?,
    })
}

fn parse_mac(text: &str) -> Result<[u8; 6], String> {
    let bytes: Vec<u8> = text.split(':').filter_map(|b| u8::from_str_radix(b, 16).ok()).collect();
    bytes.try_into().map_err(|_| format!("{text}: not a MAC address"))
}

/// 10.0.0.2 and others, at most [`MAX_DESTINATIONS`].
fn destination_addresses(count: u64) -> Result<impl Iterator<Item = [u8; 4]>, String> {
    let count = u32::try_from(count).ok().filter(|count| (1..=MAX_DESTINATIONS).contains(count));
    let count = count.ok_or(format!("destinations: valid are 1 to {MAX_DESTINATIONS}"))?;
    let address = |number: u32| {
        let host = DESTINATION_STEP.wrapping_mul(number).wrapping_add(2) & 0xff_ffff;
        (10 << 24 | host).to_be_bytes()
    };
    Ok((0..count).map(address))
}

/// An IPv4 UDP frame without FCS, from 10.0.0.1 to the discard port of `address`.
fn udp_frame(
    destination: [u8; 6],
    address: [u8; 4],
    frame_bytes: usize,
) -> Result<Vec<u8>, String> {
    if !(HEADERS_BYTES..=9014).contains(&frame_bytes) {
        return Err(format!("{frame_bytes} bytes; valid are {HEADERS_BYTES} to 9014"));
    }
    let ip_bytes = (frame_bytes - 14) as u16;
    let mut ip = [0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 0, 0, 0, 0];
    ip[16..20].copy_from_slice(&address);
    ip[2..4].copy_from_slice(&ip_bytes.to_be_bytes());
    let checksum = ipv4_checksum(&ip);
    ip[10..12].copy_from_slice(&checksum.to_be_bytes());
    let mut frame = [&destination[..], &SOURCE_MAC, &[0x08, 0x00], &ip, &[0, 9, 0, 9]].concat();
    frame.extend_from_slice(&(ip_bytes - 20).to_be_bytes());
    frame.resize(frame_bytes, 0);
    Ok(frame)
}

fn ipv4_checksum(header: &[u8; 20]) -> u16 {
    let words =
        header.chunks_exact(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]])));
    let sum: u32 = words.sum();
    !((sum & 0xffff) + (sum >> 16)) as u16
}

fn blast(load: &Load) -> Result<Report, String> {
    let mut sender = FrameSender::open(&load.interface)
        .map_err(|error| format!("interface {}: {error}", load.interface))?;
    let mut frames = load.variants.iter().map(Vec::as_slice).cycle();
    let start = Instant::now();
    let (mut sent, mut refused) = (0, 0);
    while sent + refused < load.frames {
        let offered = sent + refused;
        let batch = (load.frames - offered).min(SEND_BATCH as u64) as usize;
        if let Some(due) = due(offered, load.frames_per_second) {
            sleep(due.saturating_sub(start.elapsed()));
        }
        let result = sender.send(frames.clone().take(batch));
        frames.nth(result.taken + result.lost - 1);
        sent += result.taken as u64;
        refused += result.lost as u64;
    }
    Ok(Report { sent, refused, elapsed: start.elapsed() })
}

fn due(offered: u64, frames_per_second: u64) -> Option<Duration> {
    (frames_per_second > 0).then(|| Duration::from_secs(offered) / frames_per_second as u32)
}
