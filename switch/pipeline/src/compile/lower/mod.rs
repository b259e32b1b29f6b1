//! Emits the code of statements.

mod action;
mod checksum;
mod control;
mod expression;
mod lowering;
mod parser;
mod primitive;
mod sections;

pub(crate) use lowering::LoweredTable;
pub(crate) use sections::{lower, Lowered};
