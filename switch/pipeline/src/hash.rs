//! The hash algorithms of v1model over byte strings.

/// CRC-16/ARC: polynomial 0x8005, reflected, initial value 0.
pub(crate) fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, &byte| crc >> 8 ^ CRC16_TABLE[usize::from(crc as u8 ^ byte)])
}

/// CRC-32 (IEEE 802.3): polynomial 0x04c11db7, reflected, complemented at both ends.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| crc >> 8 ^ CRC32_TABLE[usize::from(crc as u8 ^ byte)])
}

/// The Internet checksum (RFC 1071); an odd last byte is the high byte of a word.
pub(crate) fn csum16(bytes: &[u8]) -> u16 {
    !fold(words(bytes).map(u64::from).sum())
}

/// The exclusive or of all 16-bit words; an odd last byte is the high byte of a word.
pub(crate) fn xor16(bytes: &[u8]) -> u16 {
    words(bytes).fold(0, |hash, word| hash ^ word)
}

/// The first eight bytes as a number.
pub(crate) fn identity(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).fold(0, |hash, &byte| hash << 8 | u64::from(byte))
}

/// Reduces a sum of 16-bit words to 16 bits, adding carries back in.
pub(crate) fn fold(sum: u64) -> u16 {
    let mut sum = (sum & 0xffff_ffff) + (sum >> 32);
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    sum as u16
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u16> + '_ {
    bytes.chunks(2).map(|pair| u16::from_be_bytes([pair[0], pair.get(1).copied().unwrap_or(0)]))
}

const CRC16_TABLE: [u16; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = reflected_remainder(byte as u32, 0xa001) as u16;
        byte += 1;
    }
    table
};

const CRC32_TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = reflected_remainder(byte as u32, 0xedb8_8320);
        byte += 1;
    }
    table
};

/// The remainder of one byte divided by a reflected polynomial.
const fn reflected_remainder(byte: u32, polynomial: u32) -> u32 {
    let mut remainder = byte;
    let mut bit = 0;
    while bit < 8 {
        remainder = if remainder & 1 == 1 { remainder >> 1 ^ polynomial } else { remainder >> 1 };
        bit += 1;
    }
    remainder
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check input of the CRC catalogues.
    const CHECK: &[u8] = b"123456789";

    #[test]
    fn the_crcs_have_their_catalogued_check_values() {
        assert_eq!(crc16(CHECK), 0xbb3d);
        assert_eq!(crc32(CHECK), 0xcbf4_3926);
        assert_eq!((crc16(&[]), crc32(&[])), (0, 0));
    }

    #[test]
    fn the_checksum_follows_rfc_1071() {
        let example = [0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7];
        assert_eq!(csum16(&example), !0xddf2);
        assert_eq!(csum16(&[0x12]), !0x1200);
        assert_eq!(csum16(&[]), 0xffff);
    }

    #[test]
    fn xor_pads_an_odd_byte_and_identity_takes_eight() {
        assert_eq!(xor16(&[0x12, 0x34, 0xff]), 0x1234 ^ 0xff00);
        assert_eq!(identity(&[1, 2]), 0x0102);
        assert_eq!(identity(&[1, 2, 3, 4, 5, 6, 7, 8, 9]), 0x0102_0304_0506_0708);
    }
}
