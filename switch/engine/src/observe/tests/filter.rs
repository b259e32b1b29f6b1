use super::*;

fn filter(dropped_only: bool) -> Candidates {
    let fields = vec![("ethernet.type".to_owned(), "800".to_owned())];
    Candidates::of(&TraceFilter { fields, dropped_only }).unwrap()
}

fn arrival() -> Event {
    Event::Switch(SwitchEvent::Arrive { port: 1, bytes: 60 })
}

fn assignment(value: &str) -> Event {
    let (field, value) = ("ethernet.type".to_owned(), value.to_owned());
    Event::Program(TraceEvent::Assign { field, value })
}

#[test]
fn lines_are_shown_from_the_first_as_soon_as_the_packet_matches() {
    let mut candidates = filter(false);
    assert_eq!(candidates.add(1, &arrival(), "a\n"), None);
    assert_eq!(candidates.add(2, &arrival(), "b\n"), None);
    assert_eq!(candidates.add(1, &assignment("0x0801"), "c\n"), None);
    assert_eq!(candidates.add(2, &assignment("0x0800"), "d\n"), Some("b\nd\n".to_owned()));
    assert_eq!(candidates.add(2, &assignment("0x0801"), "e\n"), Some("e\n".to_owned()));
    assert_eq!(candidates.bytes, 4);
}

#[test]
fn ports_and_length_that_the_switch_sets_are_fields() {
    let dequeue = Event::Switch(SwitchEvent::Dequeue { port: 17, depth_packets: 0, waited_us: 0 });
    for (name, value, other) in
        [("ingress_port", "001", "2"), ("packet_length", "3c", "3d"), ("egress_port", "11", "1")]
    {
        let shown = |value: &str| {
            let fields = vec![(format!("standard_metadata.{name}"), value.to_owned())];
            let filter = TraceFilter { fields, dropped_only: false };
            let mut candidates = Candidates::of(&filter).unwrap();
            let arrived = candidates.add(1, &arrival(), "a\n").unwrap_or_default();
            arrived + &candidates.add(1, &dequeue, "b\n").unwrap_or_default()
        };
        assert_eq!((shown(value).as_str(), shown(other).as_str()), ("a\nb\n", ""), "{name}");
    }
}

#[test]
fn a_packet_that_is_not_dropped_is_not_shown_where_only_those_are() {
    let mut candidates = filter(true);
    candidates.add(1, &arrival(), "a\n");
    assert_eq!(candidates.add(1, &assignment("0x800"), "b\n"), None);
    let drop = Event::Switch(SwitchEvent::Drop { reason: super::super::DropReason::Ingress });
    assert_eq!(candidates.add(1, &drop, "c\n"), Some("a\nb\nc\n".to_owned()));
}

#[test]
fn what_is_kept_is_bounded_and_the_oldest_is_forgotten() {
    let mut candidates = filter(false);
    let line = "x".repeat(1000);
    for number in 0..10_000 {
        candidates.add(number, &arrival(), &line);
    }
    assert!(candidates.bytes <= MAX_BYTES && candidates.packets.len() <= MAX_PACKETS);
    assert_eq!(candidates.add(0, &assignment("0x800"), "late"), None);
    assert!(candidates.add(9_999, &assignment("0x800"), "late").is_some());
}
