//! The frames that are sent.

const ETHERNET_BYTES: usize = 14;
/// Ethernet, IPv4 and UDP.
pub(crate) const HEADERS_BYTES: usize = ETHERNET_BYTES + 20 + 8;
/// Headers and a number.
const SHORTEST_BYTES: usize = HEADERS_BYTES + 8;
const LONGEST_BYTES: usize = 9014;
const SOURCE_MAC: [u8; 6] = [2, 0, 0, 0, 0xb1, 0xa5];
const MAX_DESTINATIONS: u32 = 1 << 16;
/// An odd number: its multiples modulo 2^24 are all different, and far apart.
const DESTINATION_STEP: u32 = 0x9e_3779;

/// One frame for each of a number of IPv4 addresses, all to the station of one MAC address.
pub(crate) fn frames(
    station: &str,
    destinations: u64,
    frame_bytes: usize,
) -> Result<Vec<Vec<u8>>, String> {
    let station = parse_mac(station)?;
    addresses(destinations)?.map(|address| udp_frame(station, address, frame_bytes)).collect()
}

fn parse_mac(text: &str) -> Result<[u8; 6], String> {
    let bytes: Vec<u8> = text.split(':').filter_map(|b| u8::from_str_radix(b, 16).ok()).collect();
    bytes.try_into().map_err(|_| format!("{text}: not a MAC address"))
}

/// 10.0.0.2 and others, at most [`MAX_DESTINATIONS`].
fn addresses(count: u64) -> Result<impl Iterator<Item = [u8; 4]>, String> {
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
    if !(SHORTEST_BYTES..=LONGEST_BYTES).contains(&frame_bytes) {
        return Err(format!("{frame_bytes} bytes; valid are {SHORTEST_BYTES} to {LONGEST_BYTES}"));
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
