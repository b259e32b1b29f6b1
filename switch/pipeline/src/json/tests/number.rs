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
