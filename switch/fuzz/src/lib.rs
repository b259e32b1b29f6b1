//! Fuzzers: hostile packets, hostile programs and hostile control requests. Whatever comes, the
//! switch decides and goes on: it does not crash, hang or take more and more memory.
//!
//! A case follows from its seed alone, so that one number reproduces it. From the top floor down:
//!
//! | floor | what it is |
//! |---|---|
//! | [`run`] | runs cases, and stops at the first that fails |
//! | `hostile` | what makes one case: packets, programs or requests |
//! | `requests`, `mutation` | random control requests; damage to a program |
//! | `switch` | a switch for one case, and packets through it |
//! | `current_case` | what reproduces the case under way; a watchdog for one that hangs |
//! | `corpus` | the programs to start from |
//! | `frames`, `values` | random frames as a program parses them; random numbers that matter |
#![forbid(unsafe_code)]

mod corpus;
mod current_case;
mod frames;
mod hostile;
mod mutation;
mod options;
mod outcome;
mod process;
mod requests;
mod runner;
mod switch;
mod values;

pub use corpus::{Corpus, CorpusError, CorpusProgram};
pub use options::{Options, Target};
pub use outcome::Outcome;
pub use runner::{run, Failure, Summary};
