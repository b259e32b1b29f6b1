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

use crate::program::{Address, Instruction, Native, Program};
use codegen::{Compiler, Unavailable};
use pieces::Piece;

/// Makes machine code of a program.
pub(crate) fn compile(program: &Program) -> Result<Native, Unavailable> {
    let mut compiler = Compiler::new(program.slots.len(), program.registers)?;
    let pieces = pieces::find(program);
    let mut code = code_outside(program, &pieces);
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

/// The code for what is in no piece, with superinstructions for pairs of which none is in a piece.
fn code_outside(program: &Program, pieces: &[Piece]) -> Vec<Instruction> {
    let mut code = program.fused.clone();
    let mut plain = |address: Address| code[address as usize] = program.code[address as usize];
    for &address in pieces.iter().flat_map(|piece| &piece.addresses) {
        plain(address);
        plain(address.saturating_sub(1));
    }
    code
}
