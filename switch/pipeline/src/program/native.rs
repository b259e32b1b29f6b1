//! What machine code was made of a program.

use super::instruction::Instruction;
use codegen::{Function, Functions};

/// Machine code, and the code that it is called from.
#[derive(Debug)]
pub(crate) struct Native {
    /// [`super::Program::code`] with [`Instruction::Native`] wherever the machine code can be
    /// entered. A function leaves at the address where this code goes on.
    pub(crate) code: Vec<Instruction>,
    pub(crate) functions: Functions,
    /// Writes the headers to where they were read; it leaves at 0 if one does not belong there.
    pub(crate) deparser: Option<Function>,
}
