//! Lowers expressions.
//!
//! BMv2 computes with integers of unlimited size and cuts off when a field is written; p4c
//! therefore puts a mask around every operation. Here a value is computed either *modulo* 2^n,
//! where only n bits are wanted, or *exactly*, in as many bits as the result can need.

use super::typing::{constant_shift, mask_of, width};
use crate::compile::lower::lowering::Lowering;
use crate::error::{Problem, Result};
use crate::json::{BinaryOperation, Expression, TypedValue, UnaryOperation};
use crate::program::{Operand, Place, Slot, Type};

impl Lowering<'_> {
    /// Emits `place = expression`, cut off to the width of the place.
    ///
    /// As in BMv2, a signed place of n bits keeps any value from -2^(n-1) to 2^n - 1 as it is, so
    /// that what is read from a register, for example, is never negative. Only values of a
    /// multiple of 64 bits cannot be kept apart from negative ones.
    pub(crate) fn assign(&mut self, place: Place, value: &Expression) -> Result {
        let bits = place.kind.bits();
        let keeps = place.kind.is_signed()
            && self.scope().exact_type(value).is_ok_and(|kind| kind.bits() <= bits);
        if keeps {
            let value = self.exact(value)?;
            return self.store_as_it_is(place, value);
        }
        let value = self.modulo(value, bits)?;
        self.store(place, value)
    }

    /// Emits a copy of an unsigned value that is no wider than its place.
    pub(crate) fn store(&mut self, place: Place, value: Operand) -> Result {
        let value = match place.kind {
            Type::Signed(bits) => self.sign_extend(value, bits)?,
            _ => value,
        };
        self.store_as_it_is(place, value)
    }

    /// Emits a copy of a value that need not be cut off.
    pub(crate) fn store_as_it_is(&mut self, place: Place, value: Operand) -> Result {
        let value = self.extend(value, place.limbs())?;
        for limb in 0..place.limbs() as Slot {
            self.code.copy(place.slot + limb, value.slot + limb)?;
        }
        Ok(())
    }

    /// Emits the value modulo 2^`bits`, as an unsigned value of at most `bits` bits.
    pub(crate) fn modulo(&mut self, value: &Expression, bits: u32) -> Result<Operand> {
        use BinaryOperation::*;
        match value {
            Expression::Number(number) => self.code.constant(number, Type::Unsigned(bits)),
            Expression::Unary(UnaryOperation::Complement, right) => {
                let right = self.modulo(right, bits)?;
                self.complement(right, Type::Unsigned(bits))
            }
            Expression::Binary(operation, left, right) => match operation {
                Add | Subtract | Multiply | BitOr | BitXor => {
                    let left = self.modulo(left, bits)?;
                    let right = self.modulo(right, bits)?;
                    self.arithmetic(*operation, left, right, Type::Unsigned(bits))
                }
                BitAnd => self.modulo_and(left, right, bits),
                ShiftLeft => {
                    let left = self.modulo(left, bits)?;
                    let amount = self.shift_amount(right)?;
                    self.shift_left(left, amount, Type::Unsigned(bits))
                }
                TwoComplementModulo if width(right)? >= bits => self.modulo(left, bits),
                _ => self.exact_then_truncated(value, bits),
            },
            Expression::Conditional(condition, yes, no) => {
                self.choose(condition, Type::Unsigned(bits), |lowering, wanted| {
                    lowering.modulo(if wanted { yes } else { no }, bits)
                })
            }
            _ => self.exact_then_truncated(value, bits),
        }
    }

    /// A number of 64 bits in one slot.
    pub(crate) fn word(&mut self, value: &TypedValue) -> Result<Operand> {
        self.modulo(&Expression::from_typed(value)?, 64)
    }

    fn exact_then_truncated(&mut self, value: &Expression, bits: u32) -> Result<Operand> {
        let value = self.exact(value)?;
        self.truncate(value, bits)
    }

    /// A mask of low bits, p4c's usual way to cut off, costs nothing.
    fn modulo_and(&mut self, left: &Expression, right: &Expression, bits: u32) -> Result<Operand> {
        let Some((value, mask)) = mask_of(left, right) else {
            let left = self.modulo(left, bits)?;
            let right = self.modulo(right, bits)?;
            return self.arithmetic(BinaryOperation::BitAnd, left, right, Type::Unsigned(bits));
        };
        let kept = mask.bits().min(bits);
        let value = self.modulo(value, kept)?;
        if mask.low_mask_bits().is_some() {
            return Ok(value);
        }
        let mask = self.code.constant(mask, Type::Unsigned(kept))?;
        self.arithmetic(BinaryOperation::BitAnd, value, mask, Type::Unsigned(kept))
    }

    /// Emits the value itself, of the type that [`Scope::exact_type`] says.
    pub(crate) fn exact(&mut self, value: &Expression) -> Result<Operand> {
        use UnaryOperation::{LastStackIndex, StackSize};
        let kind = self.scope().exact_type(value)?;
        match value {
            Expression::Field(name) => self.layout.field(name),
            Expression::FieldOf(header, field) => {
                let field = self.field_of(header, field)?;
                self.selected(&field)
            }
            Expression::Parameter(index) => self.scope().parameter(*index),
            Expression::Number(number) => self.code.constant(number, kind),
            Expression::Unary(UnaryOperation::Complement, right) => {
                let right = self.exact(right)?;
                self.complement(right, kind)
            }
            Expression::Unary(operation @ (LastStackIndex | StackSize), stack) => {
                self.stack_state(*operation, stack)
            }
            Expression::Unary(_, right) => {
                let slot = self.boolean(right)?;
                Ok(Operand { slot, kind })
            }
            Expression::Binary(operation, left, right) => {
                self.exact_binary(*operation, left, right, kind)
            }
            Expression::Conditional(condition, yes, no) => {
                self.choose(condition, kind, |lowering, wanted| {
                    lowering.exact(if wanted { yes } else { no })
                })
            }
            _ => unreachable!("headers and booleans have no numeric type"),
        }
    }

    /// Emits the number of elements that have been extracted to a stack, or the last one's index.
    fn stack_state(&mut self, operation: UnaryOperation, stack: &Expression) -> Result<Operand> {
        let Expression::Stack(name) = stack else {
            return Err(Problem::invalid("a stack is needed"));
        };
        let next = self.layout.stack(name)?.next;
        match operation {
            UnaryOperation::LastStackIndex => self.last_index(next),
            _ => Ok(Operand { slot: next, kind: Type::Unsigned(64) }),
        }
    }

    fn exact_binary(
        &mut self,
        operation: BinaryOperation,
        left: &Expression,
        right: &Expression,
        kind: Type,
    ) -> Result<Operand> {
        use BinaryOperation::*;
        match operation {
            BitAnd if mask_of(left, right).is_some() => self.modulo_and(left, right, kind.bits()),
            ShiftLeft => {
                let left = self.exact(left)?;
                let amount = self.code.small_constant(u64::from(constant_shift(right)?))?;
                self.shift_left(left, amount, kind)
            }
            ShiftRight => {
                let left = self.exact(left)?;
                let amount = self.shift_amount(right)?;
                self.shift_right(left, amount)
            }
            TwoComplementModulo => {
                let value = self.modulo(left, kind.bits())?;
                self.sign_extend(value, kind.bits())
            }
            Divide | Remainder => {
                let left = self.not_negative(left)?;
                let right = self.not_negative(right)?;
                self.arithmetic(operation, left, right, kind)
            }
            SaturateUnsigned | SaturateSigned => {
                let value = self.exact(left)?;
                self.saturate(value, kind)
            }
            _ => {
                let left = self.exact(left)?;
                let right = self.exact(right)?;
                self.arithmetic(operation, left, right, kind)
            }
        }
    }

    /// Emits the value itself, or 0 for a negative one.
    fn not_negative(&mut self, value: &Expression) -> Result<Operand> {
        let value = self.exact(value)?;
        match value.kind {
            Type::Signed(bits) => self.saturate(value, Type::Unsigned(bits)),
            _ => Ok(value),
        }
    }

    /// Emits a number of bits to shift by, in one slot.
    fn shift_amount(&mut self, amount: &Expression) -> Result<Slot> {
        let amount = self.exact(amount)?;
        if amount.kind.is_signed() {
            return Err(Problem::unsupported("a shift by a signed number", &["unsigned amounts"]));
        }
        match amount.limbs() {
            1 => Ok(amount.slot),
            _ => Ok(self.saturate(amount, Type::Unsigned(32))?.slot),
        }
    }

    /// Emits code for one of two values.
    pub(crate) fn choose(
        &mut self,
        condition: &Expression,
        kind: Type,
        mut lower: impl FnMut(&mut Self, bool) -> Result<Operand>,
    ) -> Result<Operand> {
        let result = self.code.temporary(kind)?;
        let otherwise = self.code.new_label();
        let end = self.code.new_label();
        self.branch(condition, false, otherwise)?;
        let yes = lower(self, true)?;
        self.copy_extended(result, yes)?;
        self.code.jump(end)?;
        self.code.place(otherwise);
        let no = lower(self, false)?;
        self.copy_extended(result, no)?;
        self.code.place(end);
        Ok(result)
    }

    fn copy_extended(&mut self, to: Operand, from: Operand) -> Result {
        let from = self.extend(from, to.limbs())?;
        for limb in 0..to.limbs() as Slot {
            self.code.copy(to.slot + limb, from.slot + limb)?;
        }
        Ok(())
    }
}
