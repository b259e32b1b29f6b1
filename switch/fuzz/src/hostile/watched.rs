//! Two switches with the same life, one of them watched, and the other one perhaps machine code:
//! packets and entries cannot tell.

use engine::TraceOptions;
use pipeline::Pipeline;

use crate::contents::contents;
use crate::corpus::{Corpus, CorpusProgram};
use crate::current_case::CurrentCase;
use crate::mutation::mutate;
use crate::outcome::Outcome;
use crate::random::Random;
use crate::requests::{fill, request};
use crate::switch::{new_switch, trace_options};
use crate::traffic::Traffic;
use crate::values::pool;

/// Rounds of requests and packets.
const ROUNDS: usize = 4;
const REQUESTS: usize = 5;
const PACKETS: u64 = 15;

/// What became of a switch: what came out of it in each round, and what it holds at the end.
#[derive(Debug, PartialEq, Eq)]
struct Life {
    rounds: Vec<Outcome>,
    contents: Vec<String>,
}

/// Runs a program, which may be damaged, unwatched and watched. Unwatched, it may be machine code.
pub(crate) fn run(corpus: &Corpus, random: &mut Random, current: &CurrentCase) -> Outcome {
    let program = corpus.choose(random);
    let damaged = random.bool().then(|| mutate(&program.json, random));
    current.note(|evidence| evidence.program(&program.path, damaged.as_deref()));
    let load = || Pipeline::load(damaged.as_ref().unwrap_or(&program.text));
    let (Ok(plain), Ok(watched)) = (load(), load()) else { return Outcome::default() };
    if random.bool() {
        plain.compile().expect("this processor has machine code");
    }
    let options = trace_options(random);
    let plain_life = live(plain, None, program, &mut random.clone(), current);
    let watched_life = live(watched, Some(options), program, random, current);
    assert_eq!(plain_life, watched_life, "a program that is watched does something else");
    let start = Outcome { accepted_programs: 1, ..Outcome::default() };
    watched_life.rounds.into_iter().fold(start, |sum, round| sum + round)
}

fn live(
    pipeline: Pipeline,
    watch: Option<TraceOptions>,
    program: &CorpusProgram,
    random: &mut Random,
    current: &CurrentCase,
) -> Life {
    let pool = &pool(random);
    let traffic = Traffic { parser: &program.parser, pool, current };
    let mut switch = new_switch(pipeline, random);
    if let Some(options) = watch {
        switch.observer().trace(options);
    }
    fill(&mut switch, random, pool);
    let mut round = || {
        let accepted = (0..REQUESTS).map(|_| u64::from(request(&mut switch, random, pool)));
        let accepted_requests = accepted.sum();
        Outcome { accepted_requests, ..traffic.send(&mut switch, PACKETS, random) }
    };
    let rounds = (0..ROUNDS).map(|_| round()).collect();
    Life { rounds, contents: contents(&mut switch) }
}
