//! Digests (`digests.p4`).

use crate::support::{frame, Switch};
use pipeline::Digest;

const SEEN: u8 = 1;
const OTHER: u8 = 2;
const DROP: u8 = 4;

fn packet(choice: u8, address: u64, value: u8) -> Vec<u8> {
    frame(&[&[choice], &address.to_be_bytes()[2..], &[value]])
}

fn digest(name: &str, fields: &[&[u8]]) -> Option<Digest> {
    Some(Digest { name: name.into(), fields: fields.iter().map(|field| field.to_vec()).collect() })
}

#[test]
fn fields_are_flat_and_as_wide_as_declared() {
    let mut switch = Switch::load("digests");
    switch.ingress(&packet(SEEN, 0x0102_0304_0506, 0x80), 300, 0);
    let expected = digest("seen_t", &[&[1, 2, 3, 4, 5, 6], &[1, 44], &[5], &[0xf, 0x80]]);
    assert_eq!(switch.digest(), expected);
    assert_eq!(switch.digest(), None);
}

#[test]
fn the_last_digest_of_a_packet_wins() {
    let mut switch = Switch::load("digests");
    switch.ingress(&packet(SEEN | OTHER, 1, 0x44), 1, 0);
    assert_eq!(switch.digest(), digest("other_t", &[&[0x44]]));
}

#[test]
fn a_dropped_packet_sends_its_digest_and_a_later_one_none() {
    let mut switch = Switch::load("digests");
    assert_eq!(switch.ingress(&packet(OTHER | DROP, 1, 7), 1, 0), None);
    assert_eq!(switch.digest(), digest("other_t", &[&[7]]));
    switch.ingress(&packet(OTHER, 1, 8), 1, 0);
    switch.ingress(&packet(0, 1, 9), 1, 0);
    assert_eq!(switch.digest(), None);
}
