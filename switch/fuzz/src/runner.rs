//! Runs cases one after the other, up to the first that fails.

use std::fmt;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::thread;

use crate::corpus::Corpus;
use crate::current_case::CurrentCase;
use crate::hostile::run_case;
use crate::options::{Options, Target};
use crate::outcome::Outcome;
use crate::process::resident_bytes;
use crate::random::Random;

/// Cases that bring memory to the size that it keeps.
const WARM_UP_CASES: u64 = 200;

/// What memory may grow by afterwards: the allocator's ways.
const MEMORY_GROWTH_BYTES: u64 = 128 << 20;

/// What was run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// Cases.
    pub cases: u64,
    /// What they did.
    pub outcome: Outcome,
    /// Memory after the first cases and at the end.
    pub memory_bytes: (u64, u64),
}

impl fmt::Display for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, after) = self.memory_bytes;
        write!(
            formatter,
            "{} cases: {}, memory {} MiB after the first cases and {} MiB at the end",
            self.cases,
            self.outcome,
            before >> 20,
            after >> 20
        )
    }
}

/// Runs the one case that bytes decide; panics where it fails.
pub fn run_input(corpus: &Corpus, target: Target, bytes: &[u8]) -> Outcome {
    run_case(target, corpus, &mut Random::from_bytes(bytes), &CurrentCase::default())
}

/// Runs cases until one fails, which the error says in a line; one that hangs ends the process.
pub fn run(corpus: &Corpus, options: &Options) -> Result<Summary, String> {
    let current = CurrentCase::default();
    let (watched, watched_options) = (current.clone(), options.clone());
    let watchdog = thread::spawn(move || watched.watch(&watched_options));
    let ended = run_cases(corpus, options, &current);
    current.end_run();
    // It has nothing to say about a run that has ended.
    let _ = watchdog.join();
    ended
}

fn run_cases(corpus: &Corpus, options: &Options, current: &CurrentCase) -> Result<Summary, String> {
    let mut outcome = Outcome::default();
    let mut memory_bytes = None;
    for number in 0..options.cases {
        let seed = options.seed.wrapping_add(number);
        current.begin(seed);
        let mut random = match &options.input {
            Some(bytes) => Random::from_bytes(bytes),
            None => Random::with_seed(seed),
        };
        let case = AssertUnwindSafe(|| run_case(options.target, corpus, &mut random, current));
        match catch_unwind(case) {
            Ok(done) => outcome += done,
            Err(_) => {
                let case = current.save(options).map_err(|error| error.to_string())?;
                return Err(format!("a case failed: {case}"));
            }
        }
        if number == WARM_UP_CASES {
            memory_bytes = Some(resident_bytes()?);
        }
    }
    let after = resident_bytes()?;
    let before = memory_bytes.unwrap_or(after);
    match after.saturating_sub(before) {
        0..=MEMORY_GROWTH_BYTES => {
            Ok(Summary { cases: options.cases, outcome, memory_bytes: (before, after) })
        }
        _ => Err(format!("memory grew from {before} to {after} bytes")),
    }
}
