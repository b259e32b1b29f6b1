//! Loops of actions (`loops.p4`).

use crate::support::Switch;

fn run(count: u32, inner: u8) -> Option<u32> {
    let mut frame = count.to_be_bytes().to_vec();
    frame.extend([0, 0, 0, 0, inner]);
    let sent = Switch::load("loops").send(&frame)?;
    Some(u32::from_be_bytes(sent[4..8].try_into().unwrap()))
}

#[test]
fn a_loop_goes_round_as_often_as_the_packet_says() {
    assert_eq!(run(0, 3), Some(0));
    assert_eq!(run(1, 0), Some(1));
    assert_eq!(run(4, 0), Some(1 + 2 + 3 + 4));
    assert_eq!(run(200, 0), Some(200 * 201 / 2 - 5));
}

#[test]
fn a_loop_can_stand_in_another() {
    assert_eq!(run(4, 3), Some(1 + 2 + 3 + 4 + 4 * 3));
}

#[test]
fn an_endless_loop_ends_with_the_packet_dropped() {
    assert_eq!(run(1, 0xff), None);
    assert_eq!(run(0, 0xff), Some(0));
}
