//! What P4Runtime's messages mean to a switch: the one model of a program that its controllers see.
//!
//! Requests come in and go out as bytes, of P4Runtime's own format. gRPC, streams and elections are
//! the business of the crate `server`.
//!
//! # Floors
//!
//! From the ground up; each uses only what stands below it.
//!
//! | floor | what it is |
//! |---|---|
//! | `messages`, `status` | P4Runtime's messages; what is wrong with a request, and how that travels |
//! | `decoding` | messages in bytes that come from anybody |
//! | `numbers`, `text` | byte strings of numbers, checked and canonical; values as messages tell them |
//! | `program` | a P4Info's objects by id, as far as the compiled program has them; translated types |
//! | `values` | keys, actions, weights, ports and counts, between messages and the engine |
//! | `plane` | one instant of a loaded program, in the switch or before its commit |
//! | `entities` | each kind of entity: its write, its read, and what undoes an update |
//! | `access` | what a role may see and change |
//! | `packets` | packet-outs and packet-ins |
//! | `request`, `requests` | requests as they come; batches with their rollback, reads in chunks, reconciliation |
//! | `config` | a program with its P4Info, as it is pushed |
//! | `device`, `runtime` | [`P4Runtime`]: a switch's programs, running and saved; [`Runtime`]: the running one alone |
#![forbid(unsafe_code)]

#[macro_use]
mod status;

mod access;
mod config;
mod decoding;
mod device;
mod entities;
pub mod messages;
mod numbers;
mod packets;
mod plane;
mod program;
mod request;
mod requests;
mod runtime;
#[cfg(test)]
mod tests;
mod text;
mod values;

pub use access::{role_named, Access};
pub use decoding::message;
pub use device::P4Runtime;
pub use numbers::canonical;
pub use plane::DigestConfigs;
pub use request::{PipelineRequest, ReadRequest, Sender, WriteRequest};
pub use requests::batch::Writing;
pub use requests::read::Reading;
pub use runtime::Runtime;
pub use status::{BatchStatus, Code, Error};
