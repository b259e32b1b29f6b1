//! Lowers the comparison of whole headers and header unions.

use super::selection::Selection;
use crate::compile::lower::lowering::Lowering;
use crate::error::{Problem, Result};
use crate::json::{BinaryOperation, Expression};
use crate::program::{Instruction, Operand, Slot, Type};

impl Lowering<'_> {
    /// Emits whether two headers or unions are equal. As in BMv2, invalid ones are equal to
    /// none.
    pub(crate) fn equal_elements(&mut self, left: &Expression, right: &Expression) -> Result<Slot> {
        let left = self.element(left)?;
        let right = self.element(right)?;
        let [left, right] = [left, right].map(Selection::positions);
        let (left, left_elements) = left;
        let (right, right_elements) = right;
        let result = self.code.temporary(Type::Bool)?;
        let zero = Operand { slot: self.code.small_constant(0)?, kind: Type::Bool };
        self.copy_limbs(result, zero)?;
        self.for_selected(&left, |lowering, left| {
            lowering.for_selected(&right, |lowering, right| {
                let (left, right) = (&left_elements[left], &right_elements[right]);
                for (&left, &right) in left.headers.iter().zip(&right.headers) {
                    lowering.set_if_equal(result, left, right)?;
                }
                Ok(())
            })
        })?;
        Ok(result.slot)
    }

    /// Emits `result = 1` if two headers are valid and equal.
    fn set_if_equal(&mut self, result: Operand, left: u16, right: u16) -> Result {
        let layout = self.layout;
        if !layout.same_type(left, right) {
            return Err(Problem::invalid("a comparison needs headers of one type"));
        }
        let differ = self.code.new_label();
        for header in [left, right].into_iter().filter(|&header| !layout.is_metadata(header)) {
            let condition = layout.headers[usize::from(header)].valid;
            self.code.emit(Instruction::JumpIfZero { condition, target: differ.target() })?;
        }
        for (&left, &right) in layout.fields_of(left).iter().zip(layout.fields_of(right)) {
            let equal = BinaryOperation::Equal;
            self.branch_on_comparison(equal, left, right, false, differ)?;
        }
        let one = self.code.small_constant(1)?;
        self.code.copy(result.slot, one)?;
        self.code.place(differ);
        Ok(())
    }
}
