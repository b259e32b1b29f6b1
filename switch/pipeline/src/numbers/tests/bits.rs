use super::*;

#[test]
fn bytes_survive_the_way_through_limbs() {
    let address: Vec<u8> = (1..=16).collect();
    let limbs = from_bytes(&address, 128).unwrap();
    assert_eq!(limbs, [0x090a_0b0c_0d0e_0f10, 0x0102_0304_0506_0708]);
    assert_eq!(to_bytes(&limbs, 128), address);
}

#[test]
fn leading_zero_bytes_do_not_count() {
    assert_eq!(from_bytes(&[0, 0, 1, 0xff], 9), Some(vec![0x1ff]));
    assert_eq!(from_bytes(&[0; 40], 9), Some(vec![0]));
    assert_eq!(from_bytes(&[], 9), Some(vec![0]));
}

#[test]
fn a_number_that_is_too_wide_is_refused() {
    assert_eq!(from_bytes(&[2, 0], 9), None);
    assert_eq!(from_bytes(&[1, 0, 0, 0, 0, 0, 0, 0, 0], 64), None);
}

#[test]
fn prefix_masks_cover_the_leading_bits() {
    assert_eq!(prefix_mask(32, 24), [0xffff_ff00]);
    assert_eq!(prefix_mask(32, 0), [0]);
    assert_eq!(prefix_mask(128, 64), [0, u64::MAX]);
    assert_eq!(prefix_mask(128, 128), [u64::MAX, u64::MAX]);
    assert_eq!(prefix_mask(9, 1), [0x100]);
}

#[test]
fn sign_extension_repeats_the_top_bit() {
    let mut negative = [0x80, 0];
    sign_extend(&mut negative, 8);
    assert_eq!(negative, [0xffff_ffff_ffff_ff80, u64::MAX]);
    let mut positive = [0x7f, u64::MAX];
    sign_extend(&mut positive, 8);
    assert_eq!(positive, [0x7f, 0]);
}

#[test]
fn bit_length_counts_from_the_lowest_bit() {
    assert_eq!(bit_length(&[0, 0]), 0);
    assert_eq!(bit_length(&[1, 0]), 1);
    assert_eq!(bit_length(&[0, 1]), 65);
}
