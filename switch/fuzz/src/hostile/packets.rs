//! Hostile packets: random, structured and damaged frames through the programs of the corpus.

use fastrand::Rng;
use pipeline::Pipeline;

use crate::corpus::Corpus;
use crate::current_case::CurrentCase;
use crate::outcome::Outcome;
use crate::requests::fill;
use crate::switch::{new_switch, send_packets};
use crate::values::pool;

/// Packets of one case.
const PACKETS: u64 = 1000;

/// Fills the tables of a program and sends packets through it.
pub(crate) fn run(corpus: &Corpus, random: &mut Rng, current: &CurrentCase) -> Outcome {
    let program = corpus.choose(random);
    current.note(|evidence| evidence.program(&program.path, None));
    let text = program.json.to_string();
    // The corpus may have programs that are not supported.
    let Ok(pipeline) = Pipeline::load(text.as_bytes()) else { return Outcome::default() };
    let pool = pool(random);
    let mut switch = new_switch(pipeline, random);
    let accepted = fill(&mut switch, random, &pool);
    let mut outcome = send_packets(&mut switch, &program.parser, &pool, PACKETS, random, current);
    outcome.accepted_programs = 1;
    outcome.accepted_requests = accepted;
    outcome
}
