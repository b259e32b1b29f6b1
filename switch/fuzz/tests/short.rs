//! A short run of every fuzzer, always the same.

use std::path::PathBuf;

use fuzz::{run, Corpus, Options, Summary, Target};

fn short_run(target: Target, cases: u64) -> Summary {
    let corpus = Corpus::load(&[]).unwrap_or_else(|error| panic!("{error}"));
    let failures = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let options = Options { target, seed: 1, cases, corpus: Vec::new(), failures };
    run(&corpus, &options).unwrap_or_else(|failure| panic!("{failure}"))
}

#[test]
fn hostile_packets_are_forwarded_or_dropped() {
    let Summary { outcome, .. } = short_run(Target::Packets, 60);
    assert_eq!(outcome.packets, 1000 * outcome.accepted_programs);
    assert!(outcome.departures > outcome.packets / 20, "{outcome:?}");
}

#[test]
fn hostile_programs_are_refused_or_run() {
    let Summary { cases, outcome, .. } = short_run(Target::Programs, 1500);
    assert!((cases / 20..cases).contains(&outcome.accepted_programs), "{outcome:?}");
}

#[test]
fn hostile_requests_are_refused_or_carried_out() {
    let Summary { outcome, .. } = short_run(Target::Requests, 60);
    let requests = 1000 * outcome.accepted_programs;
    assert!((requests / 20..requests).contains(&outcome.accepted_requests), "{outcome:?}");
}

#[test]
fn a_case_follows_from_its_seed() {
    assert_eq!(short_run(Target::Packets, 3).outcome, short_run(Target::Packets, 3).outcome);
}
