//! Hashes of byte strings, computed bit by bit and word by word.

/// The checksum of RFC 1071.
pub fn internet_checksum(bytes: &[u8]) -> u16 {
    let word = |pair: &[u8]| u32::from(pair[0]) << 8 | u32::from(*pair.get(1).unwrap_or(&0));
    let mut sum: u32 = bytes.chunks(2).map(word).sum();
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    !(sum as u16)
}

/// A reflected CRC, bit by bit.
fn crc(bytes: &[u8], polynomial: u32, initial: u32) -> u32 {
    bytes.iter().fold(initial, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| match crc & 1 {
            0 => crc >> 1,
            _ => crc >> 1 ^ polynomial,
        })
    })
}

/// CRC-16/ARC.
pub fn crc16(bytes: &[u8]) -> u16 {
    crc(bytes, 0xa001, 0) as u16
}

/// CRC-32/ISO-HDLC.
pub fn crc32(bytes: &[u8]) -> u32 {
    !crc(bytes, 0xedb8_8320, u32::MAX)
}
