use super::*;

#[test]
fn numbers_stay_below_their_bound_and_reach_every_value() {
    let mut random = Random::new(1);
    let mut seen = [false; 10];
    for _ in 0..1000 {
        seen[random.below(10) as usize] = true;
    }
    assert_eq!(seen, [true; 10]);
}
