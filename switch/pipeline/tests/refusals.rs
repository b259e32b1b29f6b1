//! What is not a program of the format is refused when it is loaded.

use pipeline::Pipeline;

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
