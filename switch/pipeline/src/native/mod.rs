//! Machine code for hot programs.
//!
//! What reaches no further than slots, frame and registers becomes machine code: parsers,
//! conditions, arithmetic, checksums, the deparser. Tables and most that has state stay
//! instructions, and between them the machine code is one instruction: it is called where it is
//! entered, and returns the address where the instructions go on.

mod deparser;
mod kinds;
mod pieces;
mod translation;

use crate::program::{Instruction, Native, Program};
use codegen::{Compiler, Unavailable};

/// Makes machine code of a program.
pub(crate) fn compile(program: &Program) -> Result<Native, Unavailable> {
    let mut compiler = Compiler::new(program.slots.len(), program.registers)?;
    let pieces = pieces::find(program);
    let mut code = program.code.clone();
    for piece in &pieces {
        let function = compiler.function(piece.entries.len(), |builder, entries| {
            translation::build(program, piece, builder, entries);
        })?;
        for (entry, &address) in piece.entries.iter().enumerate() {
            code[address as usize] = Instruction::Native { function, entry: entry as u32 };
        }
    }
    let deparser = match deparser::can_be_built(program) {
        true => Some(compiler.function(1, |builder, entries| {
            deparser::build(program, builder, entries[0]);
        })?),
        false => None,
    };
    Ok(Native { code, functions: compiler.finish()?, deparser })
}
