//! What is not a program of the format is refused when it is loaded.

use pipeline::Pipeline;
use serde_json::{json, Value};

#[test]
fn what_is_not_the_format_is_refused() {
    for (json, part) in [
        ("", "not a BMv2 JSON program: it is empty"),
        ("[]", "not a BMv2 JSON program: it does not begin with {"),
        (" x", "not a BMv2 JSON program: it does not begin with {"),
        ("{}", "missing field"),
        (r#"{"surprise": 1}"#, "unknown field `surprise`"),
    ] {
        let refusal = Pipeline::load(json.as_bytes()).expect_err(json).to_string();
        assert!(refusal.contains(part), "'{refusal}' lacks '{part}'");
    }
}

#[test]
fn what_an_editor_makes_of_the_text_is_told_or_does_not_matter() {
    let refusal = |bytes: &[u8]| Pipeline::load(bytes).expect_err("no program").to_string();
    assert!(refusal(b"\xef\xbb\xbf{}").contains("missing field"));
    for utf_16 in [b"\xff\xfe{\0}\0", b"\xfe\xff\0{\0}"] {
        assert_eq!(refusal(utf_16), "not a BMv2 JSON program: it is not text in UTF-8");
    }
}

#[test]
fn deep_nesting_is_refused() {
    let json = "[".repeat(1 << 20);
    let refusal = Pipeline::load(json.as_bytes()).expect_err("deep").to_string();
    assert!(refusal.ends_with("nested deeper than 800 levels"), "{refusal}");
}

#[test]
fn brackets_in_text_do_not_nest() {
    let json = format!(r#"{{"\"{}": 1}}"#, "[".repeat(1000));
    let refusal = Pipeline::load(json.as_bytes()).expect_err("no program").to_string();
    assert!(refusal.contains("unknown field"), "{refusal}");
}

#[test]
fn programs_of_other_architectures_are_refused_by_its_name() {
    for (header, architecture) in
        [("psa_ingress_parser_input_metadata", "PSA"), ("pna_main_parser_input_metadata", "PNA")]
    {
        let mut program: Value =
            serde_json::from_slice(include_bytes!("programs/arithmetic.json")).expect("JSON");
        let headers = program["headers"].as_array_mut().expect("headers");
        let mut of_architecture = headers[0].clone();
        of_architecture["name"] = json!(header);
        headers.push(of_architecture);
        let refusal = Pipeline::load(program.to_string().as_bytes()).expect_err(header).to_string();
        assert_eq!(
            refusal,
            format!(
                "program: the architecture {architecture} is not supported; supported: v1model"
            )
        );
    }
}
