//! Lowers boolean expressions: to a slot that holds 0 or 1, or straight to jumps.

use super::selection::Selection;
use super::typing::{is_boolean, is_element};
use crate::compile::assembler::Label;
use crate::compile::declared::Element;
use crate::compile::lower::lowering::Lowering;
use crate::error::{Problem, Result};
use crate::json::{BinaryOperation, Expression, UnaryOperation};
use crate::program::{Instruction, Operand, Slot, Type};

impl Lowering<'_> {
    /// Emits a boolean value, 0 or 1.
    pub(crate) fn boolean(&mut self, value: &Expression) -> Result<Slot> {
        use BinaryOperation::*;
        match value {
            Expression::Bool(value) => self.code.small_constant(u64::from(*value)),
            Expression::Unary(operation, right) => self.boolean_unary(*operation, right),
            Expression::Binary(And, left, right) => {
                self.connect(left, right, |to, left, right| Instruction::And { to, left, right })
            }
            Expression::Binary(Or, left, right) => {
                self.connect(left, right, |to, left, right| Instruction::Or { to, left, right })
            }
            Expression::Binary(operation @ (Equal | NotEqual), left, right)
                if is_element(left) && is_element(right) =>
            {
                let equal = self.equal_elements(left, right)?;
                self.negated(equal, *operation == NotEqual)
            }
            Expression::Binary(operation, left, right) if is_boolean(value) => {
                let (left, right) = self.compared(left, right)?;
                self.compare(*operation, left, right)
            }
            Expression::Conditional(condition, yes, no) => {
                let result = self.choose(condition, Type::Bool, |lowering, wanted| {
                    lowering.boolean_operand(if wanted { yes } else { no })
                })?;
                Ok(result.slot)
            }
            _ => Err(Problem::invalid("a number stands where a boolean is needed")),
        }
    }

    fn boolean_unary(&mut self, operation: UnaryOperation, right: &Expression) -> Result<Slot> {
        match (operation, right) {
            (UnaryOperation::Not, _) => {
                let value = self.boolean(right)?;
                self.negated(value, true)
            }
            (UnaryOperation::Valid | UnaryOperation::ValidUnion, _) => self.valid(right),
            (UnaryOperation::DataToBool, _) => {
                let data = self.exact(right)?;
                if data.kind == Type::Unsigned(1) {
                    return Ok(data.slot);
                }
                let zero = self.zero()?;
                self.compare(BinaryOperation::NotEqual, data, zero)
            }
            _ => Err(Problem::invalid("a number stands where a boolean is needed")),
        }
    }

    /// Emits `not value`, if that is wanted.
    fn negated(&mut self, value: Slot, wanted: bool) -> Result<Slot> {
        if !wanted {
            return Ok(value);
        }
        let to = self.code.temporary(Type::Bool)?.slot;
        self.code.emit(Instruction::Not { to, from: value })?;
        Ok(to)
    }

    /// Emits whether a header, or one header of a union, is valid.
    fn valid(&mut self, element: &Expression) -> Result<Slot> {
        let layout = self.layout;
        let bits = |element: &Element| -> Vec<Slot> {
            let headers = element.headers.iter();
            headers.map(|&header| layout.headers[usize::from(header)].valid).collect()
        };
        match self.element(element)? {
            Selection::One(element) => self.any(&bits(&element)),
            Selection::Indexed { choices, index } => {
                let result = self.code.temporary(Type::Bool)?.slot;
                let zero = self.code.small_constant(0)?;
                self.code.copy(result, zero)?;
                let end = self.code.new_label();
                self.switch(index, choices.len(), end, |lowering, choice| {
                    let valid = lowering.any(&bits(&choices[choice]))?;
                    lowering.code.emit(Instruction::Copy { to: result, from: valid })
                })?;
                self.code.place(end);
                Ok(result)
            }
        }
    }

    /// Emits whether one of the bits is set.
    fn any(&mut self, bits: &[Slot]) -> Result<Slot> {
        let Some((&first, others)) = bits.split_first() else {
            return self.code.small_constant(0);
        };
        let mut left = first;
        for &right in others {
            let to = self.code.temporary(Type::Bool)?.slot;
            self.code.emit(Instruction::Or { to, left, right })?;
            left = to;
        }
        Ok(left)
    }

    fn zero(&mut self) -> Result<Operand> {
        Ok(Operand { slot: self.code.small_constant(0)?, kind: Type::Unsigned(1) })
    }

    fn boolean_operand(&mut self, value: &Expression) -> Result<Operand> {
        Ok(Operand { slot: self.boolean(value)?, kind: Type::Bool })
    }

    fn connect(
        &mut self,
        left: &Expression,
        right: &Expression,
        instruction: fn(Slot, Slot, Slot) -> Instruction,
    ) -> Result<Slot> {
        let left = self.boolean(left)?;
        let right = self.boolean(right)?;
        let to = self.code.temporary(Type::Bool)?.slot;
        self.code.emit(instruction(to, left, right))?;
        Ok(to)
    }

    /// Emits the operands of a comparison: two numbers or two booleans.
    fn compared(&mut self, left: &Expression, right: &Expression) -> Result<(Operand, Operand)> {
        match (is_boolean(left), is_boolean(right)) {
            (true, true) => Ok((self.boolean_operand(left)?, self.boolean_operand(right)?)),
            (false, false) => Ok((self.exact(left)?, self.exact(right)?)),
            _ => Err(Problem::invalid("a boolean is compared with a number")),
        }
    }

    /// Emits a jump to `label` if the condition has the value `wanted`.
    pub(crate) fn branch(&mut self, condition: &Expression, wanted: bool, label: Label) -> Result {
        use BinaryOperation::*;
        match condition {
            Expression::Unary(UnaryOperation::Not, right) => self.branch(right, !wanted, label),
            // One operand alone decides: `or` by being true, `and` by being false.
            Expression::Binary(operation @ (And | Or), left, right)
                if (*operation == Or) == wanted =>
            {
                self.branch(left, wanted, label)?;
                self.branch(right, wanted, label)
            }
            Expression::Binary(And | Or, left, right) => {
                let skip = self.code.new_label();
                self.branch(left, !wanted, skip)?;
                self.branch(right, wanted, label)?;
                self.code.place(skip);
                Ok(())
            }
            Expression::Binary(operation, left, right)
                if is_boolean(condition) && !is_element(left) =>
            {
                let (left, right) = self.compared(left, right)?;
                self.branch_on_comparison(*operation, left, right, wanted, label)
            }
            _ => {
                let condition = self.boolean(condition)?;
                self.branch_on_slot(condition, wanted, label)
            }
        }
    }

    fn branch_on_slot(&mut self, condition: Slot, wanted: bool, label: Label) -> Result {
        let target = label.target();
        self.code.emit(match wanted {
            true => Instruction::JumpIfNotZero { condition, target },
            false => Instruction::JumpIfZero { condition, target },
        })
    }

    /// Emits a jump to `label` if the comparison has the value `wanted`.
    pub(crate) fn branch_on_comparison(
        &mut self,
        operation: BinaryOperation,
        left: Operand,
        right: Operand,
        wanted: bool,
        label: Label,
    ) -> Result {
        use BinaryOperation::*;
        let pair = self.comparable(left, right)?;
        let equality = matches!(operation, Equal | NotEqual);
        if pair.limbs > 1 || (pair.signed && !equality) {
            let result = self.compare_pair(operation, pair)?;
            return self.branch_on_slot(result, wanted, label);
        }
        let target = label.target();
        let (left, right) = (pair.left, pair.right);
        self.code.emit(match (operation, wanted) {
            (Equal, true) | (NotEqual, false) => Instruction::JumpIfEqual { left, right, target },
            (Equal, false) | (NotEqual, true) => {
                Instruction::JumpIfNotEqual { left, right, target }
            }
            (Less, true) | (GreaterOrEqual, false) => {
                Instruction::JumpIfLess { left, right, target }
            }
            (LessOrEqual, true) | (Greater, false) => {
                Instruction::JumpIfLessOrEqual { left, right, target }
            }
            (Greater, true) | (LessOrEqual, false) => {
                Instruction::JumpIfLess { left: right, right: left, target }
            }
            _ => Instruction::JumpIfLessOrEqual { left: right, right: left, target },
        })
    }
}
