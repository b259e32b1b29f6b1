//! Errors stay one line of bounded length, and those of a batch reach clients with default limits.

use prost::Message;

use crate::messages::rpc::Status;
use crate::status::{invalid, Code, Error, Results};

fn status(results: impl IntoIterator<Item = Result<(), Error>>) -> Option<(String, Vec<u8>)> {
    let mut all = Results::default();
    results.into_iter().for_each(|result| all.push(result));
    all.status("Write")
}

#[test]
fn a_refusal_stays_one_line_whatever_it_names() {
    assert_eq!(invalid("no role a\nb\u{2028}c").message, "no role a b c");
    for character in ["a", "\u{fc}", "\u{1f600}"] {
        let short = character.repeat(100);
        assert_eq!(invalid(&short).message, short);
        let long = invalid(character.repeat(2000)).message;
        assert!(long.starts_with(&short) && long.ends_with(" ..."));
        assert!((990..=1004).contains(&long.len()));
    }
}

#[test]
fn many_long_errors_have_room_in_a_status() {
    let names = (0..300).map(|n| format!("Ingress.table_with_a_long_name_{n}"));
    let message = format!("no table is named a; valid: {}", names.collect::<Vec<_>>().join(", "));
    let results = vec![Err(invalid(message)); 100];
    let (_, status) = status(results).unwrap();
    assert!(status.len() < 8000, "{}", status.len());
    assert_eq!(Status::decode(&status[..]).unwrap().details.len(), 100);
}

#[test]
fn the_cause_comes_before_what_it_has_undone() {
    let aborted = Error::new(Code::Aborted, "rolled back");
    let results = [Err(aborted), Err(invalid("the cause"))];
    let (message, _) = status(results).unwrap();
    assert_eq!(message, "Write: 2 of 2 failed, first: the cause");
    assert_eq!(status([Ok(())]), None);
}
