//! The fuzzers' cases, decided by the bytes that libFuzzer varies for what they reach.
#![forbid(unsafe_code)]

use std::sync::{LazyLock, Mutex, PoisonError};

use fuzz::{run_input, Corpus, Outcome, Target};

/// How often it is told what has been done.
const CASES: u64 = 10_000;

static CORPUS: LazyLock<Corpus> =
    LazyLock::new(|| Corpus::load(&[]).unwrap_or_else(|error| panic!("{error}")));
static DONE: Mutex<(u64, Outcome)> = Mutex::new((0, Outcome::NOTHING));

/// Runs a case.
pub fn run(target: Target, bytes: &[u8]) {
    let outcome = run_input(&CORPUS, target, bytes);
    let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    done.0 += 1;
    done.1 += outcome;
    if done.0 % CASES == 0 {
        eprintln!("{} cases: {}", done.0, done.1);
    }
}
