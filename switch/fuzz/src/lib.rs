//! Fuzzers: hostile packets, hostile programs and hostile control requests. Whatever comes, the
//! switch decides and goes on: it does not crash, hang or take more and more memory.
//!
//! A case follows from its seed alone, so that one number reproduces it.
#![forbid(unsafe_code)]

mod corpus;
mod frames;
mod hostile_packets;
mod hostile_programs;
mod hostile_requests;
mod mutation;
mod requests;
mod runner;
mod switch;
mod values;

pub use corpus::{Corpus, CorpusError, CorpusProgram};
pub use runner::{run, Failure, Options, Summary};

use std::fmt;
use std::str::FromStr;

/// What is hostile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Frames, through the programs of the corpus.
    Packets,
    /// Damaged programs of the corpus.
    Programs,
    /// Control requests and packets, on the programs of the corpus.
    Requests,
}

/// The targets by their names.
const TARGETS: [(&str, Target); 3] =
    [("packets", Target::Packets), ("programs", Target::Programs), ("requests", Target::Requests)];

impl FromStr for Target {
    type Err = String;

    fn from_str(name: &str) -> Result<Target, String> {
        let found = TARGETS.iter().find(|(known, _)| *known == name);
        let names = || TARGETS.map(|(known, _)| known).join(", ");
        found
            .map(|(_, target)| *target)
            .ok_or_else(|| format!("no target {name}; valid: {}", names()))
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = TARGETS.iter().find(|(_, target)| target == self);
        formatter.write_str(named.map_or("", |(name, _)| name))
    }
}

/// What a case did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Programs loaded.
    pub accepted_programs: u64,
    /// Packets that went in.
    pub packets: u64,
    /// Packets that came out.
    pub departures: u64,
    /// Control requests that were carried out.
    pub accepted_requests: u64,
}

impl std::ops::AddAssign for Outcome {
    fn add_assign(&mut self, other: Outcome) {
        self.accepted_programs += other.accepted_programs;
        self.packets += other.packets;
        self.departures += other.departures;
        self.accepted_requests += other.accepted_requests;
    }
}

/// Runs one case; what it works on is noted in `current` before it is used.
fn run_case(target: Target, corpus: &Corpus, seed: u64, current: &runner::CurrentCase) -> Outcome {
    let mut random = fastrand::Rng::with_seed(seed);
    match target {
        Target::Packets => hostile_packets::run(corpus, &mut random, current),
        Target::Programs => hostile_programs::run(corpus, &mut random, current),
        Target::Requests => hostile_requests::run(corpus, &mut random, current),
    }
}
