use pipeline::Match;

use super::{Restriction, Seen, PRIORITY};

fn of(text: &str) -> Restriction {
    let annotation = format!("@entry_restriction(\"{text}\")");
    let is_known = |name: &str| name == "f" || name == PRIORITY;
    Restriction::of(&[annotation], "@entry_restriction", &is_known)
}

/// The clause that is broken by 16 bits that are matched, at priority 7.
fn broken<'r>(restriction: &'r Restriction, given: &Match) -> Option<&'r str> {
    restriction.broken(&|name| match name {
        "f" => Seen::matched(given, 16),
        _ => Seen::value(&[7], 32),
    })
}

fn exact(value: u16) -> Match {
    Match::Exact(value.to_be_bytes().to_vec())
}

fn ternary(value: u16, mask: u16) -> Match {
    Match::Ternary { value: value.to_be_bytes().to_vec(), mask: mask.to_be_bytes().to_vec() }
}

#[test]
fn a_comparison_holds_of_the_value() {
    for (text, holds) in [
        ("f == 10", true),
        ("f != 10", false),
        ("f < 0xb", true),
        ("f::value >= 0b1011", false),
        ("!(f > 9 && f <= 10)", false),
        ("f == 1 || f == 10", true),
        ("f == 10 -> f == 1 || f == 2", false),
        ("f == 1 -> false", true),
        ("true", true),
        ("f == 0d10 && f >= 0o12 && f > 9", true),
        ("f > 10", false),
        ("::priority < 0x7fffffff", true),
        ("f == 10 -> 7 < ::priority", false),
    ] {
        let restriction = of(text);
        assert_eq!(broken(&restriction, &exact(10)), (!holds).then_some(text), "{text}");
    }
}

#[test]
fn what_matches_many_values_equals_none() {
    for (text, given, holds) in [
        ("f == 0x800", ternary(0x800, 0xffff), true),
        ("f == 0x800", ternary(0x800, 0xff00), false),
        ("f != 0x800", ternary(0x800, 0xff00), true),
        ("f::mask != 0 -> f == 0x800", Match::Any, true),
        ("f::mask != 0 -> f == 0x800", ternary(0, 1), false),
        ("f::prefix_length == 8", Match::Lpm { value: vec![1, 0], prefix_length: 8 }, true),
        ("f::mask == 0xff00", Match::Lpm { value: vec![1, 0], prefix_length: 8 }, true),
        ("f::high < 10", Match::Range { low: vec![1], high: vec![9] }, true),
        ("f::low < 10 && f::high < 10", Match::Any, false),
    ] {
        let restriction = of(text);
        assert_eq!(broken(&restriction, &given), (!holds).then_some(text), "{text} of {given:?}");
    }
}

#[test]
fn a_negative_number_counts_from_the_end_of_the_width() {
    for (text, given, holds) in [
        ("f::mask == 0 || f::mask == -1", ternary(0x800, 0xffff), true),
        ("f::mask == 0 || f::mask == -1", ternary(0x800, 0xff00), false),
        ("-2 == f", exact(0xfffe), true),
        ("f == -2", exact(0xffff), false),
        // A length has no width: what is meant cannot be told.
        ("f::prefix_length == -1", exact(1), true),
    ] {
        let restriction = of(text);
        assert_eq!(broken(&restriction, &given), (!holds).then_some(text), "{text} of {given:?}");
    }
}

#[test]
fn the_clause_that_is_broken_is_told_without_comments() {
    let restriction = of("\\n  f != 1; // no ones\\n  f  !=\\n 2;\\n");
    assert_eq!(broken(&restriction, &exact(1)), Some("f != 1"));
    assert_eq!(broken(&restriction, &exact(2)), Some("f != 2"));
    assert_eq!(broken(&restriction, &exact(3)), None);
}

#[test]
fn addresses_are_numbers() {
    let restriction = of("f < ipv4(\\\"0.0.1.0\\\"); f != mac(\\\"00:00:00:00:00:02\\\")");
    assert_eq!(broken(&restriction, &exact(256)), Some("f < ipv4(\"0.0.1.0\")"));
    assert_eq!(broken(&restriction, &exact(2)), Some("f != mac(\"00:00:00:00:00:02\")"));
    assert_eq!(broken(&of("f == ipv6(\\\"::3\\\")"), &exact(3)), None);
    let restriction = of("f != ipv6('::3'); f != mac('00:00:00:00:00:02'); f < ipv4('0.0.1.0')");
    assert_eq!(broken(&restriction, &exact(3)), Some("f != ipv6('::3')"));
    assert_eq!(broken(&restriction, &exact(256)), Some("f < ipv4('0.0.1.0')"));
}

#[test]
fn what_is_not_understood_forbids_nothing_and_is_told() {
    let deep = format!("{}f == 1{}", "(".repeat(10_000), ")".repeat(10_000));
    for text in [
        "f = 1",
        "f ==",
        "f == 1 garbage",
        "g == 1",
        "f == 1 || g == 1",
        "priority == 1",
        "f",
        "f == ipv4(1)",
        "f == ipv4('1.2.3.4\\\")",
        "f == -f",
        &deep,
    ] {
        let restriction = of(&format!("f != 1; {text}; f != 3"));
        assert_eq!(broken(&restriction, &exact(2)), None, "{text}");
        assert_eq!(restriction.not_understood, [text.replace("\\\"", "\"")]);
        assert_eq!(broken(&restriction, &exact(3)), Some("f != 3"));
    }
    for text in ["", ";;", " // f = 1"] {
        assert!(of(text).not_understood.is_empty());
        assert_eq!(broken(&of(text), &exact(2)), None, "{text}");
    }
    let of_an_action = ["@action_restriction(\"false\")".into()];
    let others = Restriction::of(&of_an_action, "@entry_restriction", &|_| true);
    assert_eq!(broken(&others, &exact(2)), None);
}
