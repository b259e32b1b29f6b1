//! What is not supported is refused by name when a program is loaded (`refused.p4`).

use pipeline::Pipeline;

/// The message that a product of `refused.p4` is refused with.
fn refusal(construct: &str) -> String {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/refused");
    let path = format!("{directory}/{construct}.json");
    let json = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    Pipeline::load(&json).expect_err(construct).to_string()
}

#[test]
fn unsupported_constructs_are_refused_by_name_and_place() {
    for (construct, message) in [
        ("log_msg", "(refused.p4:LINE): primitive 'log_msg' is not supported"),
        (
            "wide_register",
            "register TestIngress.cells: a width of 256 bits is not supported; suppo",
        ),
    ] {
        let refusal = refusal(construct);
        let (before, after) = message.split_once("LINE").unwrap_or(("", message));
        let found = refusal.split_once(before).is_some_and(|(_, rest)| {
            rest.trim_start_matches(|character: char| character.is_ascii_digit()).starts_with(after)
        });
        assert!(found, "{construct}: '{refusal}' lacks '{message}'");
    }
}

#[test]
fn what_is_not_the_format_is_refused() {
    for (json, part) in [
        ("", "not a BMv2 JSON program: EOF"),
        ("[]", "not a BMv2 JSON program"),
        ("{}", "missing field"),
        (r#"{"surprise": 1}"#, "unknown field `surprise`"),
    ] {
        let refusal = Pipeline::load(json.as_bytes()).expect_err(json).to_string();
        assert!(refusal.contains(part), "'{refusal}' lacks '{part}'");
    }
}

#[test]
fn deep_nesting_is_refused() {
    let json = "[".repeat(1 << 20);
    assert!(Pipeline::load(json.as_bytes()).is_err());
}
