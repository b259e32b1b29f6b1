use super::*;

#[test]
fn hexadecimal_strings_may_be_negative_and_without_prefix() {
    assert_eq!(Number::from_hexstr("0xfF").unwrap().modulo(64), [255]);
    assert_eq!(Number::from_hexstr("1fe").unwrap().modulo(9), [0x1fe]);
    assert_eq!(Number::from_hexstr("-0x1").unwrap().modulo(8), [255]);
    assert_eq!(Number::from_hexstr("-0x1").unwrap().modulo(128), [u64::MAX, u64::MAX]);
}

#[test]
fn anything_else_is_refused() {
    let endless = "1".repeat(MAX_DIGITS + 1);
    for text in ["", "-", "0x", "0xg", "--1", "+1", endless.as_str()] {
        assert!(Number::from_hexstr(text).is_err(), "{text}");
    }
}

#[test]
fn masks_of_low_bits_are_recognized() {
    let bits = |text| Number::from_hexstr(text).unwrap().low_mask_bits();
    assert_eq!(bits("0xff"), Some(8));
    assert_eq!(bits("0xffffffffffffffffff"), Some(72));
    assert_eq!(bits("0xfe"), None);
    assert_eq!(bits("0x0"), None);
}

#[test]
fn a_field_takes_numbers_below_zero_down_to_its_lowest() {
    let limbs = |text, bits| Number::from_hexstr(text).unwrap().unsigned_or_negative(bits);
    assert_eq!(limbs("-0x80", 8), Some(vec![0x80]));
    assert_eq!(limbs("-0x81", 8), None);
    assert_eq!(limbs("0xff", 8), Some(vec![0xff]));
    assert_eq!(limbs("0x100", 8), None);
    assert_eq!(limbs("-0x1", 1), Some(vec![1]));
    assert_eq!(limbs("-0x10000000000000000", 65), Some(vec![0, 1]));
}
