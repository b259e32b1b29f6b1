//! Fields, arguments and keys of no bits (`no_bits.p4`): frames have nothing of them.

use crate::support::Switch;

#[test]
fn fields_of_no_bits_take_no_part_of_a_frame_and_are_0() {
    let mut switch = Switch::load("no_bits");
    assert_eq!(switch.send(&[5, 6, 0xaa]), Some(vec![5, 7, 0xaa]));
}

#[test]
fn a_key_and_an_argument_of_no_bits_stand_beside_others() {
    let mut switch = Switch::load("no_bits");
    assert_eq!(switch.send(&[7, 6, 0xaa]), Some(vec![10, 10, 0xaa]));
}
