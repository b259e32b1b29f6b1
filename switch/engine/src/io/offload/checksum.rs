//! Checksums of packets.

use crc::{Crc, CRC_32_ISCSI};

use super::header::Checksum;
use super::unrepairable::Unrepairable;

/// From the start of SCTP's header to its checksum, which is a CRC.
const SCTP_FIELD: usize = 8;
const SCTP_CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISCSI);

/// The ones' complement sum of the bytes' 16-bit words (RFC 1071).
pub(super) fn sum(bytes: &[u8]) -> u16 {
    let words = bytes.chunks_exact(2);
    let last = words.remainder().first().map_or(0, |&byte| u64::from(byte) << 8);
    let all: u64 = words.map(|word| u64::from(u16::from_be_bytes([word[0], word[1]]))).sum();
    fold(all + last)
}

/// The ones' complement sum of two sums.
pub(super) fn add(one: u16, other: u16) -> u16 {
    fold(u64::from(one) + u64::from(other))
}

fn fold(mut sum: u64) -> u16 {
    while sum > u64::from(u16::MAX) {
        sum = (sum & u64::from(u16::MAX)) + (sum >> 16);
    }
    sum as u16
}

/// Completes a frame's checksum.
pub(super) fn complete(frame: &mut [u8], checksum: Checksum) -> Result<(), Unrepairable> {
    let summed = frame.get_mut(checksum.start..).ok_or(Unrepairable)?;
    if checksum.field == SCTP_FIELD {
        return complete_sctp(summed);
    }
    // For UDP, a sum of zero would mean that there is none.
    let complement = match !sum(summed) {
        0 => u16::MAX,
        complement => complement,
    };
    put(summed, checksum.field, &complement.to_be_bytes())
}

fn complete_sctp(packet: &mut [u8]) -> Result<(), Unrepairable> {
    put(packet, SCTP_FIELD, &[0; 4])?;
    let crc = SCTP_CRC.checksum(packet);
    put(packet, SCTP_FIELD, &crc.to_le_bytes())
}

/// Writes a field.
pub(super) fn put(bytes: &mut [u8], at: usize, value: &[u8]) -> Result<(), Unrepairable> {
    let field = bytes.get_mut(at..at + value.len()).ok_or(Unrepairable)?;
    field.copy_from_slice(value);
    Ok(())
}
