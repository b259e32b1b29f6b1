//! What programs log (`logs.p4`).

use crate::support::{frame, Switch};
use std::sync::mpsc;

/// What the program logs about a packet.
fn logged(choice: u8, number: i16, wide: u128) -> Vec<String> {
    let mut switch = Switch::load("logs");
    let (lines, received) = mpsc::channel();
    switch.set_log(Some(Box::new(move |line| lines.send(line.to_string()).unwrap())));
    switch.send(&frame(&[&[choice], &number.to_be_bytes(), &wide.to_be_bytes()]));
    received.try_iter().collect()
}

#[test]
fn values_are_decimal_numbers() {
    assert_eq!(logged(0, 0, 0), ["nothing to say", "egress 0"]);
    let wide = "340282366920938463463374607431768211455";
    assert_eq!(logged(1, -300, u128::MAX)[0], format!("-300 of {{{wide}}} on 3: 1"));
}

#[test]
fn failed_assertions_say_where_they_stand() {
    let place = |line: &str| line.split_once(": logs.p4:").map(|(what, _)| what.to_string());
    for (choice, what) in [(2, "assert failed"), (3, "assume failed")] {
        let lines = logged(choice, 0, 0);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert_eq!(place(&lines[0]).as_deref(), Some(what), "{lines:?}");
    }
}

#[test]
fn nobody_needs_to_listen() {
    let mut switch = Switch::load("logs");
    assert!(switch.send(&[0; 19]).is_some());
}
