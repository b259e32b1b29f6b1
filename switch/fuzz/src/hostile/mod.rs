//! The fuzzers. Each makes one case from a random generator.

mod packets;
mod programs;
mod requests;

use fastrand::Rng;

use crate::corpus::Corpus;
use crate::current_case::CurrentCase;
use crate::options::Target;
use crate::outcome::Outcome;

/// Runs the case of a seed; what it works on is noted in `current` before it is used.
pub(crate) fn run_case(
    target: Target,
    corpus: &Corpus,
    seed: u64,
    current: &CurrentCase,
) -> Outcome {
    let mut random = Rng::with_seed(seed);
    match target {
        Target::Packets => packets::run(corpus, &mut random, current),
        Target::Programs => programs::run(corpus, &mut random, current),
        Target::Requests => requests::run(corpus, &mut random, current),
    }
}
