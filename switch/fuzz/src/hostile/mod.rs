//! The fuzzers. Each makes one case from random numbers.

mod offloads;
mod packets;
mod requests;
mod watched;

use crate::corpus::Corpus;
use crate::current_case::CurrentCase;
use crate::options::Target;
use crate::outcome::Outcome;
use crate::random::Random;

/// Runs a case; what it works on is noted in `current` before it is used.
pub(crate) fn run_case(
    target: Target,
    corpus: &Corpus,
    random: &mut Random,
    current: &CurrentCase,
) -> Outcome {
    match target {
        Target::Packets => packets::run(corpus, random, current),
        Target::Programs => packets::run_damaged(corpus, random, current),
        Target::Requests => requests::run(corpus, random, current),
        Target::Watched => watched::run(corpus, random, current),
        Target::Offloads => offloads::run(random, current),
    }
}
