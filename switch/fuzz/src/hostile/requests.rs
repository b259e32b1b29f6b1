//! Hostile control requests, and other programs, between packets.

use pipeline::Pipeline;

use crate::corpus::Corpus;
use crate::current_case::CurrentCase;
use crate::outcome::Outcome;
use crate::random::Random;
use crate::requests::request;
use crate::switch::new_switch;
use crate::traffic::Traffic;
use crate::values::pool;

/// Rounds of requests, each followed by packets.
const ROUNDS: usize = 20;
const REQUESTS: usize = 50;
const PACKETS: u64 = 10;

/// Sends requests and packets to a program.
pub(crate) fn run(corpus: &Corpus, random: &mut Random, current: &CurrentCase) -> Outcome {
    let mut program = corpus.choose(random);
    current.note(|evidence| evidence.program(&program.path, None));
    let Ok(pipeline) = Pipeline::load(&program.text) else { return Outcome::default() };
    let pool = &pool(random);
    let mut switch = new_switch(pipeline, random);
    let mut outcome = Outcome { accepted_programs: 1, ..Outcome::default() };
    for _ in 0..ROUNDS {
        if random.u8(..8) == 0 {
            // What is under way belongs to the program before.
            program = corpus.choose(random);
            current.note(|evidence| evidence.program(&program.path, None));
            let Ok(pipeline) = Pipeline::load(&program.text) else { break };
            switch.replace(pipeline);
        }
        let traffic = Traffic { parser: &program.parser, pool, current };
        for _ in 0..REQUESTS {
            outcome.accepted_requests += u64::from(request(&mut switch, random, pool));
        }
        outcome += traffic.send(&mut switch, PACKETS, random);
    }
    outcome
}
