use super::*;

/// The values of a document take many times the memory of its text.
#[test]
fn only_what_may_be_an_older_program_is_read_in_full() {
    assert!(may_be_older(br#"{"a": 1, "header_types": [[]], "__meta__": {}}"#));
    for other in [r#"{"a": [0, 0]}"#, r#"{"header_types": "#, "{"] {
        assert!(!may_be_older(other.as_bytes()), "{other}");
    }
}
