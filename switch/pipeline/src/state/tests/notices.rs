use super::*;

#[test]
fn what_has_been_told_is_not_told_again() {
    let mut notices = Notices::default();
    for (kind, which) in [("full", 1), ("endless", 1), ("full", 2), ("full", 1)] {
        notices.tell(kind, which, || format!("{kind} {which}"));
    }
    assert!(notices.has_news());
    assert_eq!(notices.take(), ["full 1", "endless 1", "full 2"]);
    notices.tell("full", 1, || unreachable!("it has been told"));
    assert!(!notices.has_news());
}
