//! Errors stay one line of bounded length, and those of a batch reach clients with default limits.

use prost::Message;

use crate::messages::rpc::Status;
use crate::status::{Code, Error, Results};

fn status<const COUNT: usize>(results: [Result<(), Error>; COUNT]) -> Option<(String, Vec<u8>)> {
    let mut all = Results::of(COUNT);
    results.into_iter().for_each(|result| all.push(result));
    all.status("Write")
}

#[test]
fn a_refusal_stays_one_line_whatever_it_names() {
    assert_eq!(invalid!("no role a\nb\u{2028}c").message, "no role a b c");
    for character in ["a", "\u{fc}", "\u{1f600}"] {
        let short = character.repeat(100);
        assert_eq!(invalid!("{short}").message, short);
        let long = invalid!("{}", character.repeat(2000)).message;
        assert!(long.starts_with(&short) && long.ends_with(" ..."));
        assert!((990..=1004).contains(&long.len()));
    }
}

#[test]
fn many_long_errors_have_room_in_a_status() {
    let names = (0..300).map(|n| format!("Ingress.table_with_a_long_name_{n}"));
    let message = format!("no table is named a; valid: {}", names.collect::<Vec<_>>().join(", "));
    let results = [(); 100].map(|()| Err(invalid!("{message}")));
    let (_, status) = status(results).unwrap();
    assert!(status.len() < 6200, "{}", status.len());
    let details = Status::decode(&status[..]).unwrap().details;
    assert_eq!(details.len(), 100);
    assert!(details[0].value.len() > 1000 && details[1].value.len() < 10);
}

#[test]
fn a_hundred_errors_of_usual_length_are_no_more_than_clients_accept() {
    let message = "an entry of table Ingress.table_with_a_long_name is not there: ".repeat(6);
    let results = [(); 100].map(|()| Err(invalid!("{message}")));
    let (message, status) = status(results).unwrap();
    // In base64, with the message of the call, whose spaces are escaped, and gRPC's own metadata.
    let escaped = message.len() + 2 * message.matches(' ').count();
    let metadata = status.len().div_ceil(3) * 4 + escaped + 400;
    assert!(metadata < 8192, "{metadata}");
}

#[test]
fn a_small_batch_tells_of_each_failure() {
    let results = [(); 20].map(|()| Err(invalid!("{}", "x".repeat(150))));
    let (_, status) = status(results).unwrap();
    let details = Status::decode(&status[..]).unwrap().details;
    assert!(details.iter().all(|detail| detail.value.len() > 150));
}

#[test]
fn the_cause_comes_before_what_it_has_undone() {
    let aborted = Error::new(Code::Aborted, "rolled back");
    let results = [Err(aborted), Err(invalid!("the cause"))];
    let (message, _) = status(results).unwrap();
    assert_eq!(message, "Write: 2 of 2 failed, first: the cause");
    assert_eq!(status([Ok(())]), None);
}

#[test]
fn the_cause_has_room_behind_many_that_it_has_undone() {
    let mut results = [(); 200].map(|()| Err(Error::new(Code::Aborted, "x".repeat(50))));
    results[199] = Err(invalid!("the cause"));
    let (_, status) = status(results).unwrap();
    let details = Status::decode(&status[..]).unwrap().details;
    assert!(details[199].value.ends_with(b"the cause"));
}
