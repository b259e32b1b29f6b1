//! Where a frame's headers are, as far as splitting it needs to know.

use super::header::{Segmentation, Transport};
use super::unrepairable::Unrepairable;

const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86dd;
const VLAN_TAGS: [u16; 2] = [0x8100, 0x88a8];
const ETHER_TYPE_AT: usize = 12;
const VLAN_TAG_BYTES: usize = 4;
const IPV4_BYTES: usize = 20;
pub(super) const IPV6_BYTES: usize = 40;
const TCP: u8 = 6;
const UDP: u8 = 17;
const TCP_BYTES: usize = 20;
pub(super) const UDP_BYTES: usize = 8;
/// Hop-by-hop options, routing, destination options.
const IPV6_EXTENSIONS: [u8; 3] = [0, 43, 60];

/// The network protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Network {
    /// With a header of so many bytes.
    Ipv4(usize),
    Ipv6,
}

/// Where the headers of a frame begin and end, each in front of the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Headers {
    pub(super) network: Network,
    pub(super) network_start: usize,
    pub(super) transport: Transport,
    pub(super) transport_start: usize,
    pub(super) payload_start: usize,
}

impl Headers {
    /// The headers of a frame whose transport header is that of the segmentation. The payload
    /// begins within the frame.
    pub(super) fn find(frame: &[u8], segmentation: Segmentation) -> Result<Self, Unrepairable> {
        let transport = segmentation.transport.ok_or(Unrepairable)?;
        let transport_start = segmentation.transport_start;
        let (ether_type, network_start) = ether_type(frame).ok_or(Unrepairable)?;
        let packet = frame.get(network_start..).ok_or(Unrepairable)?;
        let (network, protocol, header_bytes) = match ether_type {
            IPV4 => ipv4(packet),
            IPV6 => ipv6(packet),
            _ => None,
        }
        .ok_or(Unrepairable)?;
        let segment = frame.get(transport_start..).ok_or(Unrepairable)?;
        let transport_bytes = match transport {
            Transport::Tcp => 4 * usize::from(segment.get(12).ok_or(Unrepairable)? >> 4),
            Transport::Udp => UDP_BYTES,
        };
        let (number, least_bytes) = match transport {
            Transport::Tcp => (TCP, TCP_BYTES),
            Transport::Udp => (UDP, UDP_BYTES),
        };
        let is_as_said = protocol == number
            && network_start + header_bytes == transport_start
            && (least_bytes..=segment.len()).contains(&transport_bytes);
        let payload_start = transport_start + transport_bytes;
        let headers = Headers { network, network_start, transport, transport_start, payload_start };
        is_as_said.then_some(headers).ok_or(Unrepairable)
    }
}

/// The first EtherType that is not a VLAN tag's, and where its payload begins.
fn ether_type(frame: &[u8]) -> Option<(u16, usize)> {
    let mut at = ETHER_TYPE_AT;
    loop {
        let ether_type = word(frame, at)?;
        if !VLAN_TAGS.contains(&ether_type) {
            return Some((ether_type, at + 2));
        }
        at += VLAN_TAG_BYTES;
    }
}

fn ipv4(packet: &[u8]) -> Option<(Network, u8, usize)> {
    let header_bytes = 4 * usize::from(packet.first()? & 0xf);
    let is_whole = (IPV4_BYTES..=packet.len()).contains(&header_bytes);
    is_whole.then(|| (Network::Ipv4(header_bytes), packet[9], header_bytes))
}

/// The protocol behind the extension headers, and the bytes up to it.
fn ipv6(packet: &[u8]) -> Option<(Network, u8, usize)> {
    let mut protocol = *packet.get(6)?;
    let mut at = IPV6_BYTES;
    while IPV6_EXTENSIONS.contains(&protocol) {
        let (next, length) = (*packet.get(at)?, *packet.get(at + 1)?);
        protocol = next;
        at += 8 * (1 + usize::from(length));
    }
    Some((Network::Ipv6, protocol, at))
}

/// Two bytes as a number.
pub(super) fn word(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..at + 2)?;
    Some(u16::from_be_bytes([bytes[0], bytes[1]]))
}
