//! What senders leave to hardware that a virtual link does not have, done in software: checksums
//! are completed, and long frames are split into the segments that they stand for.

mod checksum;
mod header;
mod packet;
mod repair;
mod segments;
mod unrepairable;

pub use header::{Offload, HEADER_BYTES};
pub use unrepairable::Unrepairable;

#[cfg(test)]
mod tests;
