//! Compiles a program from the JSON format: what it declares, then the code of its statements.

mod assembler;
mod check;
mod declared;
mod limits;
mod link;
mod lower;

use crate::error::LoadError;
use crate::json;
use crate::program::Program;
use crate::state::State;

/// Compiles a program and creates its state.
pub(crate) fn compile(program: &json::Program) -> Result<(Program, State), LoadError> {
    check::check_supported(program)?;
    let mut declared = declared::Declared::new(program)?;
    let lowered = lower::lower(program, &mut declared)?;
    Ok(link::link(program, declared, lowered))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_has_the_same_code_every_time() {
        let json = include_bytes!("../../tests/programs/profiles.json");
        let code = || {
            let program = serde_json::from_slice(json).expect("the format");
            compile(&program).expect("a program").0.code
        };
        let first = code();
        for _ in 0..16 {
            assert_eq!(code(), first);
        }
    }
}
