//! Strings and numbers of translated types (P4Runtime 1.5, sections 8.4.6 and 18.1).

use pipeline::Match;

use crate::messages::runtime::{FieldMatch, Lpm, MatchType, Range, Ternary, Value};
use crate::program::objects::Presence;
use crate::program::{Field, KeyField, MatchKind, SdnStrings, Translation, ValueSet};
use crate::status::{Code, Error};
use crate::values::key;

fn strings(width_bits: u32) -> SdnStrings {
    SdnStrings::new("vrf_t".into(), width_bits, Vec::new(), false)
}

fn number(strings: &SdnStrings, string: &str) -> Result<Vec<u8>, Error> {
    strings.number(string.as_bytes(), &"vrf")
}

#[test]
fn strings_and_numbers_are_one_to_one_whatever_comes_first() {
    let strings = strings(4);
    let given = ["red", "14", "5", "02", "", "blue", "99"];
    let numbers: Vec<_> = given.iter().map(|string| number(&strings, string).unwrap()).collect();
    assert_eq!(numbers.concat(), [14, 13, 5, 12, 11, 10, 9]);
    for (string, known) in given.iter().zip(&numbers) {
        assert_eq!(strings.string(known), string.as_bytes());
        assert_eq!(number(&strings, string).as_ref(), Ok(known));
    }
}

#[test]
fn a_number_is_its_own_string_until_another_is_given_for_it() {
    let strings = strings(3);
    for value in [0, 5, 7] {
        assert_eq!(strings.string(&[value]), value.to_string().into_bytes());
        assert_eq!(number(&strings, &value.to_string()), Ok(vec![value]));
    }
}

#[test]
fn when_all_numbers_are_taken_that_is_said() {
    let strings = strings(2);
    assert_eq!(number(&strings, "red"), Ok(vec![2]));
    assert_eq!(number(&strings, "blue"), Ok(vec![1]));
    let error = number(&strings, "green").unwrap_err();
    assert_eq!(error.code, Code::ResourceExhausted);
    assert!(
        error.message.starts_with("vrf: no number is left for b'green': "),
        "{}",
        error.message
    );
    assert_eq!(number(&strings, "red"), Ok(vec![2]));
}

/// A set with one key field of 9 bits, which controllers see as one of 32.
fn owner(kind: MatchKind) -> ValueSet {
    let translation = Some(Translation::Numbers { width_bits: 32 });
    let field = Field { id: 1, name: "port".into(), width_bits: 9, translation };
    let key = vec![KeyField { field, kind }];
    ValueSet { id: 1, name: "set".into(), key, size: 4, presence: Presence::Compiled }
}

fn given(match_type: MatchType) -> FieldMatch {
    FieldMatch { field_id: 1, match_type: Some(match_type) }
}

fn value(byte: u8) -> Vec<u8> {
    vec![byte]
}

#[test]
fn every_kind_of_match_is_exact_in_both_widths() {
    let all = vec![0xff; 4];
    let cases = [
        (MatchKind::Exact, MatchType::Exact(Value { value: value(5) }), Match::Exact(value(5))),
        (
            MatchKind::Lpm,
            MatchType::Lpm(Lpm { value: value(5), prefix_len: 32 }),
            Match::Lpm { value: value(5), prefix_length: 9 },
        ),
        (
            MatchKind::Ternary,
            MatchType::Ternary(Ternary { value: value(5), mask: all }),
            Match::Ternary { value: value(5), mask: vec![1, 0xff] },
        ),
        (
            MatchKind::Range,
            MatchType::Range(Range { low: value(5), high: value(5) }),
            Match::Range { low: value(5), high: value(5) },
        ),
    ];
    for (kind, match_type, in_engine) in cases {
        let (owner, given) = (owner(kind), given(match_type));
        let key = key::to_engine(&owner, std::slice::from_ref(&given)).unwrap();
        assert_eq!(key, [in_engine]);
        assert_eq!(key::messages(&owner, &key), [given]);
        if kind != MatchKind::Exact {
            let key = key::to_engine(&owner, &[]).unwrap();
            assert_eq!(key::messages(&owner, &key), []);
        }
    }
}

#[test]
fn a_match_of_several_translated_numbers_is_refused_by_name() {
    let cases = [
        (MatchKind::Lpm, MatchType::Lpm(Lpm { value: value(0), prefix_len: 23 })),
        (MatchKind::Ternary, MatchType::Ternary(Ternary { value: value(1), mask: vec![1, 0xff] })),
        (MatchKind::Range, MatchType::Range(Range { low: value(1), high: value(2) })),
    ];
    for (kind, match_type) in cases {
        let error = key::to_engine(&owner(kind), &[given(match_type)]).unwrap_err();
        assert_eq!(error.code, Code::InvalidArgument);
        assert!(error.message.starts_with("key field port of value set set"), "{}", error.message);
    }
}
