//! Primitives: the statements of actions, of parsers and of the deparser.

mod arguments;
mod digest;
mod dispatch;
mod drop;
mod externs;
mod headers;
mod log;
mod requests;
mod stacks;

pub(crate) use arguments::{arguments, condition_of};
