//! Hostile control requests, between packets.

use fastrand::Rng;
use pipeline::Pipeline;

use crate::corpus::Corpus;
use crate::current_case::CurrentCase;
use crate::outcome::Outcome;
use crate::requests::request;
use crate::switch::{new_switch, send_packets};
use crate::values::pool;

/// Rounds of requests, each followed by packets.
const ROUNDS: usize = 20;
const REQUESTS: usize = 50;
const PACKETS: u64 = 10;

/// Sends requests and packets to a program.
pub(crate) fn run(corpus: &Corpus, random: &mut Rng, current: &CurrentCase) -> Outcome {
    let program = corpus.choose(random);
    current.note(|evidence| evidence.program(&program.path, None));
    let text = program.json.to_string();
    let Ok(pipeline) = Pipeline::load(text.as_bytes()) else { return Outcome::default() };
    let pool = pool(random);
    let mut switch = new_switch(pipeline, random);
    let mut outcome = Outcome { accepted_programs: 1, ..Outcome::default() };
    for _ in 0..ROUNDS {
        for _ in 0..REQUESTS {
            outcome.accepted_requests += u64::from(request(&mut switch, random, &pool));
        }
        outcome += send_packets(&mut switch, &program.parser, &pool, PACKETS, random, current);
    }
    outcome
}
