//! P4Runtime's messages, as far as a switch reads and writes them. Names and tags are those of the
//! specification (P4Runtime 1.5), which says what they mean; what is not listed is skipped.
#![allow(missing_docs, unreachable_pub)]

#[macro_use]
mod proto;

mod action_set;
mod actions;
pub(crate) mod data;
pub(crate) mod info;
pub(crate) mod requests;
pub(crate) mod rpc;
pub(crate) mod runtime;
pub mod streams;

pub use requests::{Packet, PacketMetadata, Uint128};
pub use rpc::{Any, Status};
pub use runtime::DigestConfig;
