//! Frames as a sender leaves them to hardware, beside what their parts must add up to.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::checksum::{add, sum};
use super::unrepairable::Unrepairable;
use super::*;

const NEEDS_CHECKSUM: u8 = 1;
const TCP: u8 = 6;
const UDP: u8 = 17;
const FIN: u8 = 0x01;
const PSH: u8 = 0x08;
const CWR: u8 = 0x80;

/// A frame whose payload is to be split.
#[derive(Debug, Clone)]
struct Case {
    vlan_tags: usize,
    is_ipv6: bool,
    /// IPv4 options or IPv6 extension headers, in units of 8 bytes.
    network_extras: usize,
    protocol: u8,
    /// TCP options, in units of 4 bytes.
    tcp_options: usize,
    identification: u16,
    sequence: u32,
    tcp_flags: u8,
    payload: Vec<u8>,
    segment_bytes: usize,
}

impl Case {
    fn network_start(&self) -> usize {
        14 + 4 * self.vlan_tags
    }

    fn network_bytes(&self) -> usize {
        8 * self.network_extras + if self.is_ipv6 { 40 } else { 20 }
    }

    fn transport_start(&self) -> usize {
        self.network_start() + self.network_bytes()
    }

    fn payload_start(&self) -> usize {
        let is_tcp = self.protocol == TCP;
        self.transport_start() + if is_tcp { 20 + 4 * self.tcp_options } else { 8 }
    }

    fn checksum_field(&self) -> usize {
        if self.protocol == TCP {
            16
        } else {
            6
        }
    }

    /// As its sender leaves it: lengths are those of the whole, the checksum is the sum of the
    /// pseudo-header.
    fn frame(&self) -> Vec<u8> {
        let mut frame: Vec<u8> = (1..=12).collect();
        frame.extend([0x81, 0x00, 0x20, 0x07].repeat(self.vlan_tags));
        frame.extend(if self.is_ipv6 { [0x86, 0xdd] } else { [0x08, 0x00] });
        let transport_bytes = self.payload_start() - self.transport_start() + self.payload.len();
        frame.extend(if self.is_ipv6 {
            self.ipv6(transport_bytes)
        } else {
            self.ipv4(transport_bytes)
        });
        let mut transport = vec![0x12, 0x34, 0x56, 0x78];
        if self.protocol == TCP {
            transport.extend(self.sequence.to_be_bytes());
            transport.extend([9, 9, 9, 9, 0x50 + 0x10 * self.tcp_options as u8, self.tcp_flags]);
            transport.extend([1, 2, 0, 0, 3, 4]);
            transport.extend([5, 6, 7, 8].repeat(self.tcp_options));
        } else {
            transport.extend((transport_bytes as u16).to_be_bytes());
            transport.extend([0, 0]);
        }
        transport.extend(&self.payload);
        let pseudo = self.pseudo_sum(&frame, transport_bytes);
        let field = self.checksum_field();
        transport[field..field + 2].copy_from_slice(&pseudo.to_be_bytes());
        frame.extend(transport);
        frame
    }

    fn ipv4(&self, transport_bytes: usize) -> Vec<u8> {
        let total_bytes = (self.network_bytes() + transport_bytes) as u16;
        let mut header = vec![0x45 + 2 * self.network_extras as u8, 0];
        header.extend(total_bytes.to_be_bytes());
        header.extend(self.identification.to_be_bytes());
        header.extend([0x40, 0, 64, self.protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
        header.extend([1; 8].repeat(self.network_extras));
        let checksum = !sum(&header);
        header[10..12].copy_from_slice(&checksum.to_be_bytes());
        header
    }

    fn ipv6(&self, transport_bytes: usize) -> Vec<u8> {
        let payload_bytes = (8 * self.network_extras + transport_bytes) as u16;
        let mut header = vec![0x60, 0, 0, 0];
        header.extend(payload_bytes.to_be_bytes());
        let next = |number| if number < self.network_extras { 60 } else { self.protocol };
        header.extend([next(0), 64]);
        header.extend((0..32).map(|byte| byte * 3));
        for number in 1..=self.network_extras {
            header.extend([next(number), 0, 1, 4, 0, 0, 0, 0]);
        }
        header
    }

    fn pseudo_sum(&self, frame: &[u8], transport_bytes: usize) -> u16 {
        let at = self.network_start();
        let addresses =
            if self.is_ipv6 { &frame[at + 8..at + 40] } else { &frame[at + 12..at + 20] };
        let length = sum(&(transport_bytes as u32).to_be_bytes());
        add(add(sum(addresses), u16::from(self.protocol)), length)
    }

    fn offload(&self) -> Offload {
        let kind = match (self.protocol, self.is_ipv6) {
            (UDP, _) => 5,
            (_, false) => 1,
            (_, true) => 4,
        };
        let ecn = if self.tcp_flags & CWR != 0 { 0x80 } else { 0 };
        header(
            [NEEDS_CHECKSUM, kind | ecn],
            self.segment_bytes,
            self.transport_start(),
            self.checksum_field(),
        )
    }

    fn segments(&self) -> Vec<Vec<u8>> {
        repaired(&self.offload(), &self.frame()).unwrap()
    }

    /// Whether a segment's transport checksum is that of its bytes.
    fn checksum_verifies(&self, segment: &[u8]) -> bool {
        let transport = &segment[self.transport_start()..];
        add(self.pseudo_sum(segment, transport.len()), sum(transport)) == u16::MAX
    }
}

fn header([flags, kind]: [u8; 2], segment_bytes: usize, start: usize, field: usize) -> Offload {
    let mut header = [flags, kind, 0, 0, 0, 0, 0, 0, 0, 0];
    for (at, word) in [(4, segment_bytes), (6, start), (8, field)] {
        header[at..at + 2].copy_from_slice(&(word as u16).to_ne_bytes());
    }
    Offload::parse(&header).unwrap()
}

fn repaired(offload: &Offload, frame: &[u8]) -> Result<Vec<Vec<u8>>, Unrepairable> {
    let mut frames = Vec::new();
    offload.repair(frame, &mut Vec::new(), |frame| frames.push(frame.to_vec()))?;
    Ok(frames)
}

prop_compose! {
    fn cases()(
        (vlan_tags, is_ipv6, network_extras) in (0..3_usize, any::<bool>(), 0..3_usize),
        (protocol, tcp_options) in (prop_oneof![Just(TCP), Just(UDP)], 0..6_usize),
        (identification, sequence, tcp_flags) in any::<(u16, u32, u8)>(),
        (payload, segment_bytes) in (vec(any::<u8>(), 1..5_000), 1..2_000_usize),
    ) -> Case {
        let tcp_flags = if protocol == TCP { tcp_flags } else { 0 };
        let fewest_bytes = if protocol == UDP { payload.len().div_ceil(128) } else { 1 };
        let segment_bytes = segment_bytes.max(fewest_bytes);
        Case {
            vlan_tags, is_ipv6, network_extras, protocol, tcp_options, identification, sequence,
            tcp_flags, payload, segment_bytes,
        }
    }
}

fn word(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_061_122),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn payloads_add_up_in_segments_of_the_size_asked_for(case in cases()) {
        let segments = case.segments();
        let payloads: Vec<_> = segments.iter().map(|s| &s[case.payload_start()..]).collect();
        prop_assert_eq!(payloads.concat(), case.payload.clone());
        let (last, others) = payloads.split_last().unwrap();
        prop_assert!(others.iter().all(|payload| payload.len() == case.segment_bytes));
        prop_assert!((1..=case.segment_bytes).contains(&last.len()));
    }

    #[test]
    fn checksums_verify_and_lengths_are_the_segments(case in cases()) {
        for segment in case.segments() {
            prop_assert!(case.checksum_verifies(&segment));
            let network = &segment[case.network_start()..];
            if case.is_ipv6 {
                prop_assert_eq!(usize::from(word(network, 4)), network.len() - 40);
            } else {
                prop_assert_eq!(usize::from(word(network, 2)), network.len());
                prop_assert_eq!(sum(&network[..case.network_bytes()]), u16::MAX);
            }
            if case.protocol == UDP {
                let transport = &segment[case.transport_start()..];
                prop_assert_eq!(usize::from(word(transport, 4)), transport.len());
            }
        }
    }

    #[test]
    fn numbers_go_on_and_flags_are_the_first_or_last_segments(case in cases()) {
        let segments = case.segments();
        for (number, segment) in segments.iter().enumerate() {
            if !case.is_ipv6 {
                let identification = case.identification.wrapping_add(number as u16);
                prop_assert_eq!(word(segment, case.network_start() + 4), identification);
            }
            if case.protocol == TCP {
                let tcp = &segment[case.transport_start()..];
                let sequence = u32::from_be_bytes([tcp[4], tcp[5], tcp[6], tcp[7]]);
                let offset = (number * case.segment_bytes) as u32;
                prop_assert_eq!(sequence, case.sequence.wrapping_add(offset));
                let first = if number == 0 { 0 } else { CWR };
                let last = if number + 1 == segments.len() { 0 } else { FIN | PSH };
                prop_assert_eq!(tcp[13], case.tcp_flags & !first & !last);
            }
        }
    }

    #[test]
    fn all_else_stays_as_it_was(case in cases()) {
        let whole = case.frame();
        let (network, transport) = (case.network_start(), case.transport_start());
        let lengths = if case.is_ipv6 { vec![4, 5] } else { vec![2, 3, 4, 5, 10, 11] };
        let (tcp, udp) = ([4, 5, 6, 7, 13, 16, 17], [4, 5, 6, 7]);
        let counted = if case.protocol == TCP { &tcp[..] } else { &udp[..] };
        let written: Vec<_> = lengths.iter().map(|at| network + at)
            .chain(counted.iter().map(|at| transport + at)).collect();
        for segment in case.segments() {
            for at in (0..case.payload_start()).filter(|at| !written.contains(at)) {
                prop_assert_eq!(segment[at], whole[at], "byte {}", at);
            }
        }
    }

    #[test]
    fn a_checksum_alone_is_completed(case in cases()) {
        let offload = header([NEEDS_CHECKSUM, 0], 0, case.transport_start(), case.checksum_field());
        let frames = repaired(&offload, &case.frame()).unwrap();
        prop_assert_eq!(frames.len(), 1);
        prop_assert!(case.checksum_verifies(&frames[0]));
        prop_assert_eq!(&frames[0][case.payload_start()..], &case.payload[..]);
    }

    #[test]
    fn a_frame_that_is_not_as_its_sender_says_does_no_harm(
        case in cases(),
        (at, byte, kept) in (0..200_usize, any::<u8>(), 0..5_000_usize),
        (kind, words) in (any::<u8>(), any::<[u16; 3]>()),
        is_as_said in any::<bool>(),
    ) {
        let mut frame = case.frame();
        frame.truncate(kept);
        if let Some(damaged) = frame.get_mut(at) {
            *damaged = byte;
        }
        let [size, start, field] = words.map(usize::from);
        let said = header([NEEDS_CHECKSUM, kind], size, start % 200, field % 200);
        let offload = if is_as_said { case.offload() } else { said };
        if let Ok(frames) = repaired(&offload, &frame) {
            prop_assert!(frames.iter().all(|part| part.len() <= frame.len()));
        }
    }
}

#[test]
fn what_is_complete_is_left_alone() {
    // Its checksums were verified, or it was received as it is.
    for flags in [0, 2] {
        assert_eq!(Offload::parse(&[flags, 0, 9, 9, 9, 9, 9, 9, 9, 9]), None);
    }
}

#[test]
fn a_sum_of_zero_is_written_as_all_ones() {
    let offload = header([NEEDS_CHECKSUM, 0], 0, 2, 2);
    let frames = repaired(&offload, &[0, 0, 0xff, 0xff, 0, 0]).unwrap();
    assert_eq!(frames, [[0, 0, 0xff, 0xff, 0xff, 0xff]]);
}

#[test]
fn the_checksum_of_sctp_is_its_crc() {
    // CRC-32C's check value (RFC 3720, appendix B.4: 32 bytes of zeros), with a field of zeros.
    let offload = header([NEEDS_CHECKSUM, 0], 0, 4, 8);
    let mut frame = [0; 36];
    frame[12..16].copy_from_slice(&[7; 4]);
    let frames = repaired(&offload, &frame).unwrap();
    assert_eq!(frames[0][12..16], [0xaa, 0x36, 0x91, 0x8a]);
}

/// Plain headers.
fn plain(protocol: u8, payload_bytes: usize, segment_bytes: usize) -> Case {
    Case {
        vlan_tags: 0,
        is_ipv6: false,
        network_extras: 0,
        protocol,
        tcp_options: 0,
        identification: 0,
        sequence: 0,
        tcp_flags: 0,
        payload: vec![0; payload_bytes],
        segment_bytes,
    }
}

#[test]
fn no_more_segments_are_made_than_linux_leaves_to_be_made() {
    for (protocol, most) in [(TCP, 8_191), (UDP, 128)] {
        for segment_bytes in [1, 7] {
            let count = |payload_bytes| {
                let case = plain(protocol, payload_bytes, segment_bytes);
                repaired(&case.offload(), &case.frame()).map(|segments| segments.len())
            };
            assert_eq!(count(most * segment_bytes), Ok(most));
            assert_eq!(count(most * segment_bytes + 1), Err(Unrepairable));
        }
    }
    let longest = plain(TCP, 65_535 - 40, 8);
    assert_eq!(longest.segments().len(), 8_187, "of the shortest that Linux's TCP sends");
}

#[test]
fn the_packets_of_a_tunnel_are_not_split() {
    let mut case = plain(TCP, 100, 50);
    assert!(repaired(&case.offload(), &case.frame()).is_ok());
    let outer = case.clone();
    case.payload = outer.frame()[14..].to_vec();
    let inner_start = case.payload_start() + 20;
    let offload = header([NEEDS_CHECKSUM, 1], 50, inner_start, 16);
    assert_eq!(repaired(&offload, &case.frame()), Err(Unrepairable));
}
