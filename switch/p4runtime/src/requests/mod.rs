//! Requests as a whole: Write in its atomicity modes, Read in chunks, and what a new program takes over
//! from the old one.

pub(crate) mod batch;
mod cost;
pub(crate) mod read;
pub(crate) mod reconcile;
