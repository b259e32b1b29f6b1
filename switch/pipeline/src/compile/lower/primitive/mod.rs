//! Primitives: the statements of actions, of parsers and of the deparser.

mod arguments;
mod dispatch;
mod drop;
mod externs;
mod headers;
mod requests;
mod stacks;

pub(crate) use arguments::{arguments, condition_of};
