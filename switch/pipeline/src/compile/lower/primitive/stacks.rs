//! Lowers the primitives that work on whole stacks, as BMv2 runs them.

use super::arguments::arguments;
use crate::compile::declared::Stack;
use crate::compile::lower::lowering::Lowering;
use crate::error::{Problem, Result};
use crate::json::{Expression, Primitive, TypedValue};
use crate::program::Instruction;

/// `push_front` or `pop_front`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shift {
    Push,
    Pop,
}

impl Lowering<'_> {
    /// Assigns all elements, and how many of them have been extracted.
    pub(crate) fn assign_stack(&mut self, primitive: &Primitive) -> Result {
        let [to, from] = arguments(primitive)?;
        let (to, from) = (self.stack_argument(to)?, self.stack_argument(from)?);
        if to.elements.len() != from.elements.len() {
            return Err(Problem::invalid("an assignment needs stacks of one size"));
        }
        self.code.copy(to.next, from.next)?;
        for (to, from) in to.elements.iter().zip(&from.elements) {
            self.assign_element(to, from)?;
        }
        Ok(())
    }

    /// Moves the elements of a stack by a number of places.
    pub(crate) fn shift_stack(&mut self, primitive: &Primitive, shift: Shift) -> Result {
        let [stack, count] = arguments(primitive)?;
        let stack = self.stack_argument(stack)?;
        let size = stack.elements.len();
        let count = Expression::from_typed(count)?;
        if let Expression::Number(number) = &count {
            let count = number.to_u32().map_or(size, |count| size.min(count as usize));
            return self.shift_by(&stack, shift, count);
        }
        let count = self.exact(&count)?;
        let count = self.word_or_more(count)?;
        let (all, end) = (self.code.new_label(), self.code.new_label());
        self.switch(count, size, all, |lowering, count| lowering.shift_by(&stack, shift, count))?;
        self.code.jump(end)?;
        self.code.place(all);
        self.shift_by(&stack, shift, size)?;
        self.code.place(end);
        Ok(())
    }

    fn stack_argument(&self, argument: &TypedValue) -> Result<Stack> {
        match Expression::from_typed(argument)? {
            Expression::Stack(name) => Ok(self.layout.stack(&name)?.clone()),
            _ => Err(Problem::invalid(format!("a '{}' where a stack is needed", argument.kind))),
        }
    }

    /// Emits a shift by at most the size of the stack. Elements are exchanged, not copied: those
    /// that are vacated keep the fields of those that are lost. Header unions stay valid.
    fn shift_by(&mut self, stack: &Stack, shift: Shift, count: usize) -> Result {
        if count == 0 {
            return Ok(());
        }
        let size = stack.elements.len();
        self.code.begin_statements(size)?;
        self.shift_next(stack, shift, count)?;
        match shift {
            Shift::Push => {
                for index in (count..size).rev() {
                    self.swap_elements(stack, index, index - count)?;
                }
                self.invalidate_elements(stack, 0..count)
            }
            Shift::Pop => {
                for index in 0..size - count {
                    self.swap_elements(stack, index, index + count)?;
                }
                self.invalidate_elements(stack, size - count..size)
            }
        }
    }

    /// Emits next = next + count, at most the size, or next - count, at least 0.
    fn shift_next(&mut self, stack: &Stack, shift: Shift, count: usize) -> Result {
        let (next, bits) = (stack.next, 32);
        let size = self.code.small_constant(stack.elements.len() as u64)?;
        let count = self.code.small_constant(count as u64)?;
        let end = self.code.new_label();
        let target = end.target();
        match shift {
            Shift::Push => {
                self.code.emit(Instruction::Add { to: next, left: next, right: count, bits })?;
                self.code.emit(Instruction::JumpIfLess { left: next, right: size, target })?;
                self.code.emit(Instruction::Copy { to: next, from: size })?;
            }
            Shift::Pop => {
                let enough = self.code.new_label();
                let zero = self.code.small_constant(0)?;
                self.code.emit(Instruction::JumpIfLessOrEqual {
                    left: count,
                    right: next,
                    target: enough.target(),
                })?;
                self.code.emit(Instruction::Copy { to: next, from: zero })?;
                self.code.jump(end)?;
                self.code.place(enough);
                self.code.emit(Instruction::Subtract {
                    to: next,
                    left: next,
                    right: count,
                    bits,
                })?;
            }
        }
        self.code.place(end);
        Ok(())
    }

    fn swap_elements(&mut self, stack: &Stack, left: usize, right: usize) -> Result {
        let (left, right) = (&stack.elements[left], &stack.elements[right]);
        for (&left, &right) in left.headers.iter().zip(&right.headers) {
            self.code.emit(Instruction::SwapHeaders { left, right })?;
        }
        Ok(())
    }

    fn invalidate_elements(&mut self, stack: &Stack, positions: std::ops::Range<usize>) -> Result {
        let invalid = self.code.small_constant(0)?;
        for element in &stack.elements[positions] {
            if let ([header], None) = (element.headers.as_slice(), &element.members) {
                let valid = self.layout.headers[usize::from(*header)].valid;
                self.code.emit(Instruction::Copy { to: valid, from: invalid })?;
            }
        }
        Ok(())
    }
}
