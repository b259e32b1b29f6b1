//! Which instructions have machine code, and what kinds of them there are.

use crate::program::{Address, Instruction, Program, Slot};
use codegen::{Binary, Comparison};

/// Whether there is machine code for an instruction.
pub(super) fn is_translatable(program: &Program, instruction: Instruction) -> bool {
    use Instruction::*;
    match instruction {
        Calculate { calculation, .. } => {
            program.calculations[usize::from(calculation)].can_be_built()
        }
        Saturate(saturation) => saturation.limbs == 1,
        End
        | Copy { .. }
        | Truncate { .. }
        | Complement { .. }
        | SignExtend { .. }
        | Not { .. }
        | Extend { .. }
        | Jump { .. }
        | JumpIfZero { .. }
        | JumpIfNotZero { .. }
        | JumpTable { .. }
        | Extract { .. }
        | LookAhead { .. }
        | Touch { .. }
        | ElementRead { .. }
        | ElementWrite { .. }
        | RegisterRead { .. }
        | RegisterWrite { .. } => true,
        _ => {
            binary(instruction).is_some()
                || comparison(instruction).is_some()
                || branch(instruction).is_some()
        }
    }
}

/// The operation of an instruction of that kind, its slots (target, left, right) and the width of
/// its result.
pub(super) fn binary(instruction: Instruction) -> Option<(Binary, [Slot; 3], u8)> {
    use Instruction::*;
    Some(match instruction {
        Add { to, left, right, bits } => (Binary::Add, [to, left, right], bits),
        Subtract { to, left, right, bits } => (Binary::Subtract, [to, left, right], bits),
        Multiply { to, left, right, bits } => (Binary::Multiply, [to, left, right], bits),
        ShiftLeft { to, left, right, bits } => (Binary::ShiftLeft, [to, left, right], bits),
        ShiftRight { to, left, right } => (Binary::ShiftRight, [to, left, right], 64),
        ShiftRightSigned { to, left, right } => (Binary::ShiftRightSigned, [to, left, right], 64),
        And { to, left, right } => (Binary::And, [to, left, right], 64),
        Or { to, left, right } => (Binary::Or, [to, left, right], 64),
        Xor { to, left, right } => (Binary::Xor, [to, left, right], 64),
        Remainder { to, value, modulus } => (Binary::Remainder, [to, value, modulus], 64),
        _ => return None,
    })
}

/// The comparison of an instruction of that kind, and its slots: target, left, right.
pub(super) fn comparison(instruction: Instruction) -> Option<(Comparison, [Slot; 3])> {
    use Instruction::*;
    Some(match instruction {
        Equal { to, left, right } => (Comparison::Equal, [to, left, right]),
        NotEqual { to, left, right } => (Comparison::NotEqual, [to, left, right]),
        Less { to, left, right } => (Comparison::Less, [to, left, right]),
        LessOrEqual { to, left, right } => (Comparison::LessOrEqual, [to, left, right]),
        LessSigned { to, left, right } => (Comparison::LessSigned, [to, left, right]),
        LessOrEqualSigned { to, left, right } => (Comparison::LessOrEqualSigned, [to, left, right]),
        _ => return None,
    })
}

/// The comparison of a jump of that kind, its slots, and where it goes if it holds.
pub(super) fn branch(instruction: Instruction) -> Option<(Comparison, [Slot; 2], Address)> {
    use Instruction::*;
    Some(match instruction {
        JumpIfEqual { left, right, target } => (Comparison::Equal, [left, right], target),
        JumpIfNotEqual { left, right, target } => (Comparison::NotEqual, [left, right], target),
        JumpIfLess { left, right, target } => (Comparison::Less, [left, right], target),
        JumpIfLessOrEqual { left, right, target } => {
            (Comparison::LessOrEqual, [left, right], target)
        }
        _ => return None,
    })
}
