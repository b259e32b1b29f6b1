//! Hostile packets: random, structured and damaged frames through the programs of the corpus.

use pipeline::Pipeline;

use crate::corpus::Corpus;
use crate::current_case::CurrentCase;
use crate::outcome::Outcome;
use crate::random::Random;
use crate::requests::fill;
use crate::switch::new_switch;
use crate::traffic::Traffic;
use crate::values::pool;

/// Packets of one case.
const PACKETS: u64 = 100;

/// Fills the tables of a program and sends packets through it.
pub(crate) fn run(corpus: &Corpus, random: &mut Random, current: &CurrentCase) -> Outcome {
    let program = corpus.choose(random);
    current.note(|evidence| evidence.program(&program.path, None));
    // The corpus may have programs that are not supported.
    let Ok(pipeline) = Pipeline::load(&program.text) else { return Outcome::default() };
    let pool = &pool(random);
    let mut switch = new_switch(pipeline, random);
    let accepted_requests = fill(&mut switch, random, pool);
    let traffic = Traffic { parser: &program.parser, pool, current };
    let sent = traffic.send(&mut switch, PACKETS, random);
    Outcome { accepted_programs: 1, accepted_requests, ..sent }
}
