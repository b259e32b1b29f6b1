//! Checksums with and without payload (`checksums.p4`), against bitwise references.

use crate::support::hashes::{crc16, crc32, internet_checksum};
use crate::support::random::Random;
use crate::support::{frame, Switch};

const HAS_TAIL: u8 = 0x80;

/// A packet whose header ends with a nibble and twelve bits.
fn packet(choice: u8, sum: u16, rest: [u8; 2], payload: &[u8]) -> Vec<u8> {
    frame(&[&[choice], &sum.to_be_bytes(), &[0xff], &rest, payload])
}

/// Whether the switch finds a checksum wrong.
fn is_wrong(switch: &mut Switch, packet: &[u8]) -> bool {
    switch.send(packet).unwrap()[3] == 1
}

/// The checksum that the switch sends.
fn updated(switch: &mut Switch, packet: &[u8]) -> u16 {
    let sent = switch.send(packet).unwrap();
    assert_eq!(sent.len(), packet.len());
    u16::from_be_bytes([sent[1], sent[2]])
}

#[test]
fn checksums_over_fields_and_payload_are_verified() {
    let mut switch = Switch::load("checksums");
    let mut random = Random::new(3);
    for length in 0..70 {
        let payload = random.bytes(length);
        let rest = [random.bits() as u8, random.bits() as u8];
        let nibble = [rest[0] & 0xf0];
        let fields = frame(&[&[1], &rest, &[0x5a], &payload]);
        for (choice, sum) in [
            (1, internet_checksum(&fields)),
            (2, crc16(&frame(&[&nibble, &payload]))),
            (3, crc16(&rest)),
        ] {
            let wrong = packet(choice, sum ^ 0x100, rest, &payload);
            assert!(!is_wrong(&mut switch, &packet(choice, sum, rest, &payload)), "{choice}");
            assert!(is_wrong(&mut switch, &wrong), "{choice}");
        }
    }
}

#[test]
fn checksums_over_fields_and_payload_are_updated() {
    let mut switch = Switch::load("checksums");
    let mut random = Random::new(4);
    for length in 0..70 {
        let payload = random.bytes(length);
        let rest = [random.bits() as u8, random.bits() as u8];
        let nibble = [rest[0] & 0xf0];
        for (choice, sum) in [
            (4, internet_checksum(&frame(&[&[4], &payload]))),
            (5, crc32(&frame(&[&nibble, &payload])) as u16),
            (6, crc16(&rest)),
            (7, 0xabcd),
        ] {
            let sent = updated(&mut switch, &packet(choice, 0xabcd, rest, &payload));
            assert_eq!(sent, sum, "{choice}, {length} bytes");
        }
    }
}

#[test]
fn after_truncation_a_checksum_has_the_first_bytes_of_the_payload() {
    let mut switch = Switch::load("checksums");
    let payload = [0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99];
    for in_ingress_or_egress in [8, 9] {
        for (most, counted) in [(6, 6), (7, 7), (200, 9)] {
            let sent = packet(in_ingress_or_egress, 0, [0, most], &payload);
            let left = switch.send(&sent).unwrap();
            let fields = frame(&[&[in_ingress_or_egress], &payload[..counted]]);
            assert_eq!(left.len(), sent.len().min(most.into()));
            assert_eq!(left[1..3], internet_checksum(&fields).to_be_bytes());
        }
    }
}

#[test]
fn a_whole_header_counts_if_it_is_valid() {
    let mut switch = Switch::load("checksums");
    let choice = 4 | HAS_TAIL;
    let tail = [0, 0, choice];
    let payload = [5, 6, 7];
    let sent = packet(choice, 0, [0, 0], &frame(&[&tail, &payload]));
    let fields = frame(&[&[choice], &tail, &payload]);
    assert_eq!(updated(&mut switch, &sent), internet_checksum(&fields));
}

#[test]
fn the_checksum_of_an_invalid_header_is_not_verified() {
    let mut switch = Switch::load("checksums");
    assert!(!is_wrong(&mut switch, &packet(0, 0, [0, 0], &[9; 8])));
    assert!(is_wrong(&mut switch, &packet(HAS_TAIL, 0, [0, 0], &[9; 8])));
    assert!(!is_wrong(&mut switch, &packet(HAS_TAIL, 0, [0, 0], &[0, 0, HAS_TAIL])));
}
