//! A long frame's segments.

use super::checksum::{add, complete, put, sum};
use super::header::{Checksum, Segmentation, Transport};
use super::packet::{word, Headers, Network, IPV6_BYTES, UDP_BYTES};
use super::unrepairable::Unrepairable;

/// From the start of the transport header to its checksum.
const TCP_CHECKSUM_AT: usize = 16;
const UDP_CHECKSUM_AT: usize = 6;
const TCP_FLAGS_AT: usize = 13;
const TCP_FIN_PSH: u8 = 0x09;
const TCP_CWR: u8 = 0x80;

/// The place of a segment among the others.
#[derive(Debug, Clone, Copy)]
struct Place {
    number: usize,
    /// From the start of the payload.
    offset: usize,
    is_last: bool,
}

/// Passes the segments of a frame to `take`, in order, as the hardware would send them.
///
/// As in Linux: identifications and sequence numbers go on, FIN and PSH are the last segment's, CWR
/// is the first one's. More segments than Linux leaves to be made are refused: the memory that they
/// take must be in proportion to what came.
pub(super) fn split(
    frame: &[u8],
    segmentation: Segmentation,
    segment: &mut Vec<u8>,
    mut take: impl FnMut(&[u8]),
) -> Result<(), Unrepairable> {
    let headers = Headers::find(frame, segmentation)?;
    let segment_bytes = segmentation.segment_bytes;
    let (front, payload) = frame.split_at(headers.payload_start);
    if segment_bytes == 0 || payload.is_empty() {
        return Err(Unrepairable);
    }
    let count = payload.len().div_ceil(segment_bytes);
    if count > headers.transport.max_segments() {
        return Err(Unrepairable);
    }
    for (number, part) in payload.chunks(segment_bytes).enumerate() {
        segment.clear();
        segment.extend_from_slice(front);
        segment.extend_from_slice(part);
        let offset = number * segment_bytes;
        let place = Place { number, offset, is_last: number + 1 == count };
        let whole_bytes = frame.len() - headers.transport_start;
        place_in(&headers, segment, place, whole_bytes)?;
        take(segment);
    }
    Ok(())
}

/// Writes the headers of a segment of what was `whole_bytes` long with its transport header.
fn place_in(
    headers: &Headers,
    segment: &mut [u8],
    place: Place,
    whole_bytes: usize,
) -> Result<(), Unrepairable> {
    network(headers, segment, place)?;
    let transport = &mut segment[headers.transport_start..];
    let field = match headers.transport {
        Transport::Tcp => tcp(transport, place)?,
        Transport::Udp => udp(transport)?,
    };
    // The field holds the sum of the pseudo-header, of which the length changes.
    let pseudo = word(transport, field).ok_or(Unrepairable)?;
    let length = length_sum(transport.len());
    let pseudo = add(add(pseudo, !length_sum(whole_bytes)), length);
    put(transport, field, &pseudo.to_be_bytes())?;
    complete(segment, Checksum { start: headers.transport_start, field })
}

fn network(headers: &Headers, segment: &mut [u8], place: Place) -> Result<(), Unrepairable> {
    let packet = &mut segment[headers.network_start..];
    match headers.network {
        Network::Ipv4(header_bytes) => {
            put(packet, 2, &length_field(packet.len())?)?;
            let identification = word(packet, 4).ok_or(Unrepairable)?;
            put(packet, 4, &identification.wrapping_add(place.number as u16).to_be_bytes())?;
            put(packet, 10, &[0, 0])?;
            let checksum = !sum(&packet[..header_bytes]);
            put(packet, 10, &checksum.to_be_bytes())
        }
        Network::Ipv6 => put(packet, 4, &length_field(packet.len() - IPV6_BYTES)?),
    }
}

/// Returns where the checksum is.
fn tcp(transport: &mut [u8], place: Place) -> Result<usize, Unrepairable> {
    let [a, b, c, d] = [transport[4], transport[5], transport[6], transport[7]];
    let sequence = u32::from_be_bytes([a, b, c, d]).wrapping_add(place.offset as u32);
    put(transport, 4, &sequence.to_be_bytes())?;
    let flags = &mut transport[TCP_FLAGS_AT];
    if !place.is_last {
        *flags &= !TCP_FIN_PSH;
    }
    if place.number > 0 {
        *flags &= !TCP_CWR;
    }
    Ok(TCP_CHECKSUM_AT)
}

/// Returns where the checksum is.
fn udp(transport: &mut [u8]) -> Result<usize, Unrepairable> {
    debug_assert!(transport.len() >= UDP_BYTES);
    put(transport, 4, &length_field(transport.len())?)?;
    Ok(UDP_CHECKSUM_AT)
}

fn length_field(length_bytes: usize) -> Result<[u8; 2], Unrepairable> {
    u16::try_from(length_bytes).map(u16::to_be_bytes).map_err(|_| Unrepairable)
}

/// A length's part of a pseudo-header's sum.
fn length_sum(length_bytes: usize) -> u16 {
    sum(&(length_bytes as u32).to_be_bytes())
}
