//! Compiles a program from the JSON format: what it declares, then the code of its statements.

mod assembler;
mod check;
mod declared;
mod link;
mod lower;

use crate::error::LoadError;
use crate::json;
use crate::program::Program;
use crate::state::State;

/// The widest field, register or intermediate result.
pub(crate) const MAX_BITS: u32 = 2048;

/// The most slots of a packet; what an index of 16 bits can name.
pub(crate) const MAX_SLOTS: usize = 1 << 16;

/// The longest header, not counting a field of variable length.
pub(crate) const MAX_HEADER_BYTES: u32 = 2048;

/// Compiles a program and creates its state.
pub(crate) fn compile(program: &json::Program) -> Result<(Program, State), LoadError> {
    check::check_supported(program)?;
    let mut declared = declared::Declared::new(program)?;
    let lowered = lower::lower(program, &mut declared)?;
    Ok(link::link(program, declared, lowered))
}

#[cfg(test)]
mod tests;
