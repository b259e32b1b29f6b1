//! The C interface to the pipeline, documented in `include/p4abs_pipeline.h`.
//!
//! C holds a pointer to an [`Instance`] and numbers for its packets. From the top floor down:
//!
//! | floor | what it is |
//! |---|---|
//! | `interface` | the header's functions: C's arguments in, C's results out |
//! | `instance` | a pipeline with its packets; a call that panics leaves it unusable, and says so |
//! | `packets` | packets by handles that tell a packet from its successor |
//! | `memory` | reads and writes what C's pointers point to |
//! | `error` | what C's caller is told of a call that failed |
//!
//! Whatever C passes is checked before use, as far as it can be: null, UTF-8, lengths, packet
//! handles. That memory is as long and lives as long as C says cannot be checked.
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
