use super::*;

#[test]
fn a_program_becomes_hot_once() {
    let mut heat = Heat::default();
    let hot: Vec<u32> = (1..=3 * HOT_PACKETS).filter(|_| heat.add_packet()).collect();
    assert_eq!(hot, [10_000]);
}
