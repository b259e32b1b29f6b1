//! Parts of messages, such as keys, actions and counts, to and from the engine.

pub(crate) mod actions;
pub(crate) mod counts;
pub(crate) mod fields;
pub(crate) mod key;
pub(crate) mod key_text;
pub(crate) mod ports;
mod translated_match;
pub(crate) mod weights;
