//! Expressions: what type they have, what computes them, what an assignment to one writes.

mod arithmetic;
mod boolean;
mod element;
mod equality;
mod selection;
mod target;
mod typing;
mod value;

pub(crate) use selection::Selection;
pub(crate) use typing::is_boolean;
