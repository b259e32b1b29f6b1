//! Compiles a program from the JSON format: what it declares, then the code of its statements.

mod assembler;
mod check;
mod declared;
mod limits;
mod link;
mod lower;
mod shared_profiles;

use crate::error::LoadError;
use crate::json;
use crate::program::Program;
use crate::state::State;

/// Compiles a program and creates its state.
pub(crate) fn compile(mut program: json::Program) -> Result<(Program, State), LoadError> {
    shared_profiles::share_actions(&mut program);
    let program = &program;
    check::check_supported(program)?;
    let mut declared = declared::Declared::new(program)?;
    let lowered = lower::lower(program, &mut declared)?;
    Ok(link::link(program, declared, lowered))
}

#[cfg(test)]
mod tests;
