use super::*;

fn reason<T: std::fmt::Debug>(result: Result<T, Problem>) -> String {
    result.expect_err("it is refused").in_object("program").to_string()
}

#[test]
fn objects_are_found_by_their_keys() {
    let mut indexed = Indexed::new("register");
    assert_eq!(indexed.add("a".to_string(), 10).expect("a"), 0);
    assert_eq!(indexed.add_unnamed(20).expect("unnamed"), 1);
    assert_eq!(indexed.add("b".to_string(), 30).expect("b"), 2);
    let place = indexed.find("b").expect("b is there");
    assert_eq!(*indexed.at(place), 30);
    assert_eq!(reason(indexed.find("c")), "program: there is no register 'c'");
    assert_eq!(indexed.into_objects(), [10, 20, 30]);
}

#[test]
fn a_key_is_declared_once() {
    let mut indexed = Indexed::new("digest");
    indexed.add(7, ()).expect("the first");
    assert_eq!(reason(indexed.add(7, ())), "program: digest '7' is declared twice");
}

#[test]
fn places_have_sixteen_bits() {
    let mut indexed = Indexed::new("counter");
    for key in 0..=u32::from(u16::MAX) {
        indexed.add(key, ()).expect("a place");
    }
    let refusal = reason(indexed.add(1 << 16, ()));
    assert_eq!(refusal, "program: one more counter is not supported; supported: up to 65536");
}
