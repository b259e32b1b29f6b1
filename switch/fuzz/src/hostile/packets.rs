//! Hostile packets, random, structured and damaged, through the programs of the corpus; and hostile
//! programs: damaged JSON is refused, or it runs.

use pipeline::Pipeline;

use crate::corpus::{Corpus, CorpusProgram};
use crate::current_case::CurrentCase;
use crate::mutation::mutate;
use crate::outcome::Outcome;
use crate::random::Random;
use crate::requests::fill;
use crate::switch::new_switch;
use crate::traffic::Traffic;
use crate::values::pool;

/// Packets of one case.
const PACKETS: u64 = 100;
/// Those that a damaged program which was accepted must take.
const OF_DAMAGED: u64 = 30;

/// Sends packets through a program.
pub(crate) fn run(corpus: &Corpus, random: &mut Random, current: &CurrentCase) -> Outcome {
    let program = corpus.choose(random);
    current.note(|evidence| evidence.program(&program.path, None));
    send(program, &program.text, PACKETS, random, current)
}

/// Damages a program and, if it is accepted, sends packets through it.
pub(crate) fn run_damaged(corpus: &Corpus, random: &mut Random, current: &CurrentCase) -> Outcome {
    let program = corpus.choose(random);
    let text = mutate(&program.json, random);
    current.note(|evidence| evidence.program(&program.path, Some(&text)));
    send(program, &text, OF_DAMAGED, random, current)
}

/// Fills the tables of a program and sends packets through it, if it is supported.
fn send(
    program: &CorpusProgram,
    text: &[u8],
    packets: u64,
    random: &mut Random,
    current: &CurrentCase,
) -> Outcome {
    let Ok(pipeline) = Pipeline::load(text) else { return Outcome::default() };
    let pool = &pool(random);
    let mut switch = new_switch(pipeline, random);
    let accepted_requests = fill(&mut switch, random, pool);
    let traffic = Traffic { parser: &program.parser, pool, current };
    let sent = traffic.send(&mut switch, packets, random);
    Outcome { accepted_programs: 1, accepted_requests, ..sent }
}
