//! Fuzzers: hostile packets, hostile programs and hostile control requests. Whatever comes, the
//! switch decides and goes on: it does not crash, hang or take more and more memory.
//!
//! A case follows from its seed alone, so that one number reproduces it, or from bytes that a
//! coverage-guided fuzzer varies (`guided`). From the top floor down:
//!
//! | floor | what it is |
//! |---|---|
//! | [`run`] | runs cases, and stops at the first that fails |
//! | `hostile` | what makes one case: packets, programs, requests, a watched twin, offloads |
//! | `requests`, `mutation` | random control requests; damage to a program |
//! | `traffic`, `contents` | packets through a switch; what it holds |
//! | `switch` | a switch for one case |
//! | `current_case` | what reproduces the case under way; a watchdog for one that hangs |
//! | `corpus` | the programs to start from |
//! | `frames`, `values` | random frames as a program parses them; random numbers that matter |
//! | `random` | what all of these decide by: a seed's numbers, or given bytes |
#![forbid(unsafe_code)]

mod contents;
mod corpus;
mod current_case;
mod frames;
mod hostile;
mod mutation;
mod options;
mod outcome;
mod process;
mod random;
mod requests;
mod runner;
mod switch;
mod traffic;
mod values;

pub use corpus::{Corpus, CorpusProgram};
pub use options::{Options, Target};
pub use outcome::Outcome;
pub use runner::{run, run_input, Summary};
