//! The C interface to the pipeline, documented in `include/p4abs_pipeline.h`.
//!
//! C holds a pointer to an [`Instance`] and numbers for its packets. Whatever C passes is checked
//! before use, as far as it can be: null, UTF-8, lengths, packet handles. That memory is as long
//! and lives as long as C says cannot be checked; [`memory`] holds what relies on it.
#![deny(unsafe_code)]

mod error;
mod instance;
mod interface;
mod memory;
mod packets;

pub use instance::Instance;
pub use interface::*;
pub use memory::{Bytes, Match, EXACT};
pub use packets::PacketHandle;
