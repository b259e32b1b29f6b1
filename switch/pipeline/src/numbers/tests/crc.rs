use super::*;

/// The check input of the CRC catalogues.
const CHECK: &[u8] = b"123456789";

fn parameters<W: Into<u32> + Copy + crc::Width>(known: &crc::Algorithm<W>) -> CrcParameters {
    CrcParameters {
        polynomial: known.poly.into(),
        initial: known.init.into(),
        final_xor: known.xorout.into(),
        data_reflected: known.refin,
        remainder_reflected: known.refout,
    }
}

#[test]
fn crcs_have_their_published_check_values() {
    use crc::*;
    for known in
        [&CRC_16_ARC, &CRC_16_IBM_3740, &CRC_16_DNP, &CRC_16_XMODEM, &CRC_16_MODBUS, &CRC_16_RIELLO]
    {
        let crc = super::Crc::new(16, parameters(known));
        assert_eq!(crc.checksum(CHECK), u32::from(known.check), "{known:?}");
    }
    for known in [&CRC_32_ISO_HDLC, &CRC_32_BZIP2, &CRC_32_ISCSI, &CRC_32_MPEG_2, &CRC_32_JAMCRC] {
        let crc = super::Crc::new(32, parameters(known));
        assert_eq!(crc.checksum(CHECK), known.check, "{known:?}");
    }
}
