//! Emits the instructions of numeric operations, narrow or wide.

use super::typing::{signed_bits, with_bits};
use crate::compile::lower::lowering::Lowering;
use crate::error::Result;
use crate::json::BinaryOperation;
use crate::numbers::bits::{limbs_for, LIMB_BITS};
use crate::program::{Instruction, Operand, Saturation, Slot, Type, WideOperation};

/// Two operands brought to the same number of limbs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) left: Slot,
    pub(crate) right: Slot,
    pub(crate) limbs: usize,
    pub(crate) signed: bool,
}

/// The width to which a narrow instruction cuts its result off. An exact signed result fits as it
/// is, extended by its sign.
fn cut(kind: Type) -> u8 {
    match kind {
        Type::Unsigned(bits) => bits as u8,
        _ => LIMB_BITS as u8,
    }
}

impl Lowering<'_> {
    /// Emits an operation whose result is of type `kind`: either the exact result fits it, or it
    /// is unsigned and the result is cut off.
    pub(crate) fn arithmetic(
        &mut self,
        operation: BinaryOperation,
        left: Operand,
        right: Operand,
        kind: Type,
    ) -> Result<Operand> {
        let limbs = left.limbs().max(right.limbs()).max(kind.limbs());
        let left = self.extend(left, limbs)?.slot;
        let right = self.extend(right, limbs)?.slot;
        if limbs > 1 || matches!(operation, BinaryOperation::Divide | BinaryOperation::Remainder) {
            let operation = wide_operation(operation);
            return self.wide(operation, left, right, limbs, kind);
        }
        let result = self.code.temporary(kind)?;
        let (to, bits) = (result.slot, cut(kind));
        self.code.emit(match operation {
            BinaryOperation::Add => Instruction::Add { to, left, right, bits },
            BinaryOperation::Subtract => Instruction::Subtract { to, left, right, bits },
            BinaryOperation::Multiply => Instruction::Multiply { to, left, right, bits },
            BinaryOperation::BitAnd => Instruction::And { to, left, right },
            BinaryOperation::BitOr => Instruction::Or { to, left, right },
            BinaryOperation::BitXor => Instruction::Xor { to, left, right },
            _ => unreachable!("not an operation on two numbers of one type"),
        })?;
        Ok(result)
    }

    fn wide(
        &mut self,
        operation: WideOperation,
        left: Slot,
        right: Slot,
        limbs: usize,
        kind: Type,
    ) -> Result<Operand> {
        let result = self.code.temporary(with_bits(kind, limbs as u32 * LIMB_BITS))?;
        self.code.emit(Instruction::Wide {
            operation,
            to: result.slot,
            left,
            right,
            limbs: limbs as u8,
        })?;
        match kind {
            Type::Unsigned(bits) => self.truncate(result, bits),
            _ => Ok(Operand { kind, ..result }),
        }
    }

    pub(crate) fn complement(&mut self, from: Operand, kind: Type) -> Result<Operand> {
        let from = self.extend(from, kind.limbs())?.slot;
        if kind.limbs() > 1 {
            return self.wide(WideOperation::Complement, from, from, kind.limbs(), kind);
        }
        let result = self.code.temporary(kind)?;
        let (to, bits) = (result.slot, cut(kind));
        self.code.emit(Instruction::Complement { to, from, bits })?;
        Ok(result)
    }

    pub(crate) fn shift_left(
        &mut self,
        left: Operand,
        amount: Slot,
        kind: Type,
    ) -> Result<Operand> {
        let left = self.extend(left, kind.limbs())?.slot;
        if kind.limbs() > 1 {
            return self.wide(WideOperation::ShiftLeft, left, amount, kind.limbs(), kind);
        }
        let result = self.code.temporary(kind)?;
        self.code.emit(Instruction::ShiftLeft {
            to: result.slot,
            left,
            right: amount,
            bits: cut(kind),
        })?;
        Ok(result)
    }

    pub(crate) fn shift_right(&mut self, left: Operand, amount: Slot) -> Result<Operand> {
        let kind = left.kind;
        if kind.limbs() > 1 {
            let operation = match kind.is_signed() {
                true => WideOperation::ShiftRightSigned,
                false => WideOperation::ShiftRight,
            };
            return self.wide(operation, left.slot, amount, kind.limbs(), kind);
        }
        let result = self.code.temporary(kind)?;
        let (to, left, right) = (result.slot, left.slot, amount);
        self.code.emit(match kind.is_signed() {
            true => Instruction::ShiftRightSigned { to, left, right },
            false => Instruction::ShiftRight { to, left, right },
        })?;
        Ok(result)
    }

    /// Emits the number of type `kind` that is nearest to the value.
    pub(crate) fn saturate(&mut self, value: Operand, kind: Type) -> Result<Operand> {
        let limbs = value.limbs().max(kind.limbs());
        let from = self.extend(value, limbs)?;
        let result = self.code.temporary(with_bits(kind, limbs as u32 * LIMB_BITS))?;
        self.code.emit(Instruction::Saturate(Saturation {
            to: result.slot,
            from: from.slot,
            limbs: limbs as u8,
            bits: kind.bits() as u16,
            from_signed: value.kind.is_signed(),
            to_signed: kind.is_signed(),
        }))?;
        Ok(Operand { kind, ..result })
    }

    /// The same value in at least `limbs` limbs.
    pub(crate) fn extend(&mut self, value: Operand, limbs: usize) -> Result<Operand> {
        if value.limbs() >= limbs {
            return Ok(value);
        }
        let kind = with_bits(value.kind, limbs as u32 * LIMB_BITS);
        let result = self.code.temporary(kind)?;
        self.code.emit(Instruction::Extend {
            to: result.slot,
            from: value.slot,
            from_limbs: value.limbs() as u8,
            to_limbs: limbs as u8,
            signed: value.kind.is_signed(),
        })?;
        Ok(result)
    }

    /// The value modulo 2^`bits`, unsigned.
    pub(crate) fn truncate(&mut self, value: Operand, bits: u32) -> Result<Operand> {
        if !value.kind.is_signed() && value.kind.bits() <= bits {
            return Ok(value);
        }
        let limbs = limbs_for(bits);
        let from = self.extend(value, limbs)?.slot;
        let kind = Type::Unsigned(bits);
        if bits % LIMB_BITS == 0 {
            return Ok(Operand { slot: from, kind });
        }
        let result = self.code.temporary(kind)?;
        let to = result.slot;
        self.code.emit(match limbs {
            1 => Instruction::Truncate { to, from, bits: bits as u8 },
            _ => Instruction::WideTruncate { to, from, limbs: limbs as u8, bits: bits as u16 },
        })?;
        Ok(result)
    }

    /// The signed number whose two's complement in `bits` bits is the unsigned value.
    pub(crate) fn sign_extend(&mut self, value: Operand, bits: u32) -> Result<Operand> {
        let kind = Type::Signed(bits);
        let from = self.extend(value, kind.limbs())?.slot;
        if value.kind.bits() < bits || bits % LIMB_BITS == 0 {
            return Ok(Operand { slot: from, kind });
        }
        let result = self.code.temporary(kind)?;
        let to = result.slot;
        let limbs = kind.limbs() as u8;
        self.code.emit(match limbs {
            1 => Instruction::SignExtend { to, from, bits: bits as u8 },
            _ => Instruction::WideSignExtend { to, from, limbs, bits: bits as u16 },
        })?;
        Ok(result)
    }

    /// Brings two numbers to a common form.
    pub(crate) fn comparable(&mut self, left: Operand, right: Operand) -> Result<Pair> {
        let signed = left.kind.is_signed() || right.kind.is_signed();
        let limbs = match signed {
            true => limbs_for(signed_bits(left.kind).max(signed_bits(right.kind))),
            false => left.limbs().max(right.limbs()),
        };
        Ok(Pair {
            left: self.extend(left, limbs)?.slot,
            right: self.extend(right, limbs)?.slot,
            limbs,
            signed,
        })
    }

    /// Emits a comparison with a result of 0 or 1.
    pub(crate) fn compare(
        &mut self,
        operation: BinaryOperation,
        left: Operand,
        right: Operand,
    ) -> Result<Slot> {
        let pair = self.comparable(left, right)?;
        self.compare_pair(operation, pair)
    }

    /// Emits a comparison of operands that have a common form.
    pub(crate) fn compare_pair(&mut self, operation: BinaryOperation, pair: Pair) -> Result<Slot> {
        use BinaryOperation::*;
        if matches!(operation, Greater | GreaterOrEqual) {
            let mirrored = if operation == Greater { Less } else { LessOrEqual };
            let (left, right) = (pair.right, pair.left);
            return self.compare_pair(mirrored, Pair { left, right, ..pair });
        }
        if pair.limbs > 1 {
            return self.compare_wide(operation, pair);
        }
        let to = self.code.temporary(Type::Bool)?.slot;
        let (left, right) = (pair.left, pair.right);
        self.code.emit(match (operation, pair.signed) {
            (Equal, _) => Instruction::Equal { to, left, right },
            (NotEqual, _) => Instruction::NotEqual { to, left, right },
            (Less, false) => Instruction::Less { to, left, right },
            (Less, true) => Instruction::LessSigned { to, left, right },
            (LessOrEqual, false) => Instruction::LessOrEqual { to, left, right },
            (LessOrEqual, true) => Instruction::LessOrEqualSigned { to, left, right },
            _ => unreachable!("not a comparison"),
        })?;
        Ok(to)
    }

    fn compare_wide(&mut self, operation: BinaryOperation, pair: Pair) -> Result<Slot> {
        let less = match pair.signed {
            true => WideOperation::LessSigned,
            false => WideOperation::Less,
        };
        // a != b is not a == b; a <= b is not b < a.
        let (operation, left, right, negated) = match operation {
            BinaryOperation::Equal => (WideOperation::Equal, pair.left, pair.right, false),
            BinaryOperation::NotEqual => (WideOperation::Equal, pair.left, pair.right, true),
            BinaryOperation::Less => (less, pair.left, pair.right, false),
            _ => (less, pair.right, pair.left, true),
        };
        let to = self.code.temporary(Type::Bool)?.slot;
        let limbs = pair.limbs as u8;
        self.code.emit(Instruction::Wide { operation, to, left, right, limbs })?;
        if !negated {
            return Ok(to);
        }
        let result = self.code.temporary(Type::Bool)?.slot;
        self.code.emit(Instruction::Not { to: result, from: to })?;
        Ok(result)
    }
}

fn wide_operation(operation: BinaryOperation) -> WideOperation {
    match operation {
        BinaryOperation::Add => WideOperation::Add,
        BinaryOperation::Subtract => WideOperation::Subtract,
        BinaryOperation::Multiply => WideOperation::Multiply,
        BinaryOperation::Divide => WideOperation::Divide,
        BinaryOperation::Remainder => WideOperation::Remainder,
        BinaryOperation::BitAnd => WideOperation::And,
        BinaryOperation::BitOr => WideOperation::Or,
        BinaryOperation::BitXor => WideOperation::Xor,
        _ => unreachable!("not an operation on two numbers of one type"),
    }
}
