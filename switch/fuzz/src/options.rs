//! What a run of the fuzzers is asked for.

use std::fmt;
use std::path::PathBuf;
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
    /// Programs, requests and packets, twice: watched and not.
    Watched,
    /// Frames that their senders have left something to do for.
    Offloads,
}

/// The targets by their names.
const TARGETS: [(&str, Target); 5] = [
    ("packets", Target::Packets),
    ("programs", Target::Programs),
    ("requests", Target::Requests),
    ("watched", Target::Watched),
    ("offloads", Target::Offloads),
];

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

/// What to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// What is hostile.
    pub target: Target,
    /// The first case's seed; the next ones follow.
    pub seed: u64,
    /// How many cases.
    pub cases: u64,
    /// Bytes that decide the case instead of the seed.
    pub input: Option<Vec<u8>>,
    /// Directories whose programs the corpus has besides the repository's.
    pub corpus: Vec<PathBuf>,
    /// Where to keep the input of a case that fails.
    pub failures: PathBuf,
}
