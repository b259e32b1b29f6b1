//! A short run of every fuzzer, always the same.

use std::path::PathBuf;

use fuzz::{run, run_input, Corpus, Options, Summary, Target};

fn short_run(target: Target, cases: u64) -> Summary {
    let corpus = Corpus::load(&[]).unwrap_or_else(|error| panic!("{error}"));
    let failures = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let options = Options { target, seed: 1, cases, input: None, corpus: Vec::new(), failures };
    run(&corpus, &options).unwrap_or_else(|failure| panic!("{failure}"))
}

#[test]
fn hostile_packets_are_forwarded_or_dropped() {
    let Summary { outcome, .. } = short_run(Target::Packets, 600);
    assert_eq!(outcome.packets, 100 * outcome.accepted_programs);
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
fn packets_and_entries_cannot_tell_whether_a_program_is_watched() {
    let Summary { cases, outcome, .. } = short_run(Target::Watched, 150);
    assert!((cases / 3..cases).contains(&outcome.accepted_programs), "{outcome:?}");
    assert!(outcome.departures > outcome.packets / 20, "{outcome:?}");
}

#[test]
fn hostile_offloads_are_repaired_or_lost() {
    let Summary { outcome, .. } = short_run(Target::Offloads, 100);
    assert!(outcome.departures > outcome.packets / 2, "{outcome:?}");
}

#[test]
fn a_case_follows_from_its_seed() {
    assert_eq!(short_run(Target::Packets, 3).outcome, short_run(Target::Packets, 3).outcome);
}

#[test]
fn a_case_follows_from_its_bytes() {
    let corpus = Corpus::load(&[]).unwrap_or_else(|error| panic!("{error}"));
    let run = |bytes: &[u8]| run_input(&corpus, Target::Packets, bytes);
    let outcome = run(b"some bytes");
    assert_eq!(run(b"some bytes"), outcome);
    // A program may let nothing of either case pass.
    let others: [&[u8]; 4] = [b"same bytes", b"more bytes", b"a few bytes", b"other ones"];
    assert!(others.into_iter().any(|bytes| run(bytes) != outcome));
}
