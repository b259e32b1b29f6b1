//! The longest frames of a link, with and without tags. The kernel takes the first tag out of every
//! frame that it receives, as a card does.

use super::*;

const LONGEST_BYTES: usize = 9_216;
const HEADER_BYTES: usize = 14;
const TAG_BYTES: usize = 4;

/// A link of frames of [`LONGEST_BYTES`], and of a tag more.
fn network() -> Network {
    enter_namespace();
    let mtu_bytes = LONGEST_BYTES - HEADER_BYTES;
    connect("one", "port1", mtu_bytes);
    connect("two", "port2", mtu_bytes);
    let shared = two_ports(PortConfig::new(2));
    let warn: Warn = Arc::new(|message: &str| panic!("{message}"));
    Network {
        one: Station::open(1, "one"),
        two: Station::open(2, "two"),
        live: LiveSwitch::start(Arc::clone(&shared), IfAbsent::Refuse, warn).unwrap(),
        shared,
    }
}

/// A frame with these tags that is as long as a link for that length takes: Linux sends a tag more
/// than its MTU if the first is 802.1Q's.
fn tagged(tags: &[u16], length_bytes: usize) -> Vec<u8> {
    let more = usize::from(tags.first() == Some(&0x8100));
    let mut frame = frame(2, 0x88b5, length_bytes + TAG_BYTES * more - TAG_BYTES * tags.len());
    for (number, tag) in (1u8..).zip(tags.iter().rev()) {
        let [high, low] = tag.to_be_bytes();
        frame.splice(12..12, [high, low, 0x60, number]);
    }
    frame
}

#[test]
fn frames_of_a_link_s_greatest_length_survive_with_and_without_tags() {
    let mut network = network();
    let tags: [&[u16]; 5] =
        [&[], &[0x8100], &[0x88a8], &[0x88a8, 0x8100], &[0x8100, 0x8100, 0x8100]];
    for length_bytes in [60, 1_514, LONGEST_BYTES - 1, LONGEST_BYTES] {
        let frames: Vec<_> = tags.iter().map(|tags| tagged(tags, length_bytes)).collect();
        send(&mut network.one, &frames);
        assert_eq!(receive(&mut network.two, frames.len()), frames, "{length_bytes} bytes");
    }
    assert_eq!(network.shared.port_statistics(2).unwrap().send_lost_packets, 0);
}
