//! Frames whose senders leave checksums and splitting to hardware, and lie about it.

use engine::{Offload, OFFLOAD_HEADER_BYTES};

use crate::current_case::CurrentCase;
use crate::frames::{bytes, damage};
use crate::outcome::Outcome;
use crate::random::Random;

/// Frames of one case.
const FRAMES: u64 = 100;

const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86dd;
const TCP: u8 = 6;
const UDP: u8 = 17;
const TCP_CHECKSUM_AT: u16 = 16;
const UDP_CHECKSUM_AT: u16 = 6;
const SCTP_CHECKSUM_AT: u16 = 8;
/// Of 64 KB of TCP in parts of 8 bytes.
const MAX_SEGMENTS: u64 = 8_191;

/// What a frame is made of, and what is said of it.
struct Said {
    frame: Vec<u8>,
    header: [u8; OFFLOAD_HEADER_BYTES],
}

/// Repairs hostile frames: what comes of each is never longer than it, nor many without end.
pub(crate) fn run(random: &mut Random, current: &CurrentCase) -> Outcome {
    let mut outcome = Outcome { packets: FRAMES, ..Outcome::default() };
    let mut scratch = Vec::new();
    for _ in 0..FRAMES {
        let Said { frame, header } = said(random);
        current.note(|evidence| evidence.frame(&[&header[..], &frame].concat()));
        let Some(offload) = Offload::parse(&header) else { continue };
        let mut parts = 0;
        let repaired = offload.repair(&frame, &mut scratch, |part| {
            assert!(part.len() <= frame.len(), "a segment is longer than what it is of");
            parts += 1;
        });
        assert!(parts <= MAX_SEGMENTS, "more segments than a sender leaves");
        assert_eq!(repaired.is_ok(), parts > 0, "part of a frame is lost");
        outcome.departures += parts;
    }
    outcome
}

/// A frame, mostly as an honest sender would leave it.
fn said(random: &mut Random) -> Said {
    let is_ipv6 = random.bool();
    let other = (random.u8(..), SCTP_CHECKSUM_AT);
    let (protocol, field) = random.choice([(TCP, TCP_CHECKSUM_AT), (UDP, UDP_CHECKSUM_AT), other]);
    let mut frame = vec![2; 12];
    for _ in 0..random.u8(..4) / 2 {
        frame.extend([0x81, 0x00, 0x00, 0x07]);
    }
    frame.extend(if is_ipv6 { IPV6 } else { IPV4 }.to_be_bytes());
    frame.extend(if is_ipv6 { ipv6(protocol, random) } else { ipv4(protocol, random) });
    let start = frame.len() as u16;
    let mut transport = vec![0; 20];
    transport[12] = random.u8(5..) << 4;
    frame.extend(transport);
    let limit = random.choice([1, 100, 2_000, 20_000]);
    frame.extend(bytes(random, limit));
    if random.u8(..3) == 0 {
        damage(&mut frame, random);
    }
    let other = random.u8(..);
    let kind = random.choice([0, 1, 4, 5, 0x81, other]);
    let mut header = [random.u8(..8), kind, 0, 0, 0, 0, 0, 0, 0, 0];
    for (at, word) in [(4, random.u16(..2000)), (6, start), (8, field)] {
        let word = if random.u8(..8) == 0 { random.u16(..) } else { word };
        header[at..at + 2].copy_from_slice(&word.to_ne_bytes());
    }
    Said { frame, header }
}

fn ipv4(protocol: u8, random: &mut Random) -> Vec<u8> {
    let words = random.u8(5..=15);
    let mut header = vec![0; 4 * usize::from(words)];
    (header[0], header[9]) = (0x40 | words, protocol);
    header
}

/// With extension headers, which may be longer than all else.
fn ipv6(protocol: u8, random: &mut Random) -> Vec<u8> {
    let mut header = vec![0; 40];
    let mut next_at = 6;
    for _ in 0..random.u8(..6) / 2 {
        header[next_at] = random.choice([0, 43, 60, 44]);
        next_at = header.len();
        let other = random.u8(..);
        let length = random.choice([0, 1, other]);
        header.resize(next_at + 8 * (1 + usize::from(length)), 0);
        header[next_at + 1] = length;
    }
    header[next_at] = protocol;
    header
}
