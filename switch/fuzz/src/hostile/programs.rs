//! Hostile programs: damaged JSON is refused, or it runs.

use pipeline::Pipeline;

use crate::corpus::Corpus;
use crate::current_case::CurrentCase;
use crate::mutation::mutate;
use crate::outcome::Outcome;
use crate::random::Random;
use crate::requests::fill;
use crate::switch::new_switch;
use crate::traffic::Traffic;
use crate::values::pool;

/// Packets that a program that was accepted must take.
const PACKETS: u64 = 30;

/// Damages a program and, if it is accepted, fills its tables and sends packets through it.
pub(crate) fn run(corpus: &Corpus, random: &mut Random, current: &CurrentCase) -> Outcome {
    let program = corpus.choose(random);
    let text = mutate(&program.json, random);
    current.note(|evidence| evidence.program(&program.path, Some(&text)));
    let Ok(pipeline) = Pipeline::load(&text) else { return Outcome::default() };
    let pool = &pool(random);
    let mut switch = new_switch(pipeline, random);
    let accepted_requests = fill(&mut switch, random, pool);
    let traffic = Traffic { parser: &program.parser, pool, current };
    let sent = traffic.send(&mut switch, PACKETS, random);
    Outcome { accepted_programs: 1, accepted_requests, ..sent }
}
