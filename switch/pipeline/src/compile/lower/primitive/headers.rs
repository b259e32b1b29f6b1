//! Lowers the primitives that work on whole headers and header unions.

use super::arguments::arguments;
use crate::compile::declared::Element;
use crate::compile::lower::expression::Selection;
use crate::compile::lower::lowering::Lowering;
use crate::error::{Problem, Result};
use crate::json::{Expression, Primitive};
use crate::program::{Instruction, Place};

impl Lowering<'_> {
    /// `setValid`
    pub(crate) fn add_header(&mut self, primitive: &Primitive) -> Result {
        let [header] = arguments(primitive)?;
        let header = self.header_argument(header)?;
        self.for_selected(&header, |lowering, header| {
            lowering.code.emit(Instruction::AddHeader { header })?;
            lowering.invalidate_siblings(header)
        })
    }

    /// `setInvalid`
    pub(crate) fn remove_header(&mut self, primitive: &Primitive) -> Result {
        let [header] = arguments(primitive)?;
        let header = self.header_argument(header)?;
        self.for_selected(&header, |lowering, header| {
            lowering.code.emit(Instruction::RemoveHeader { header })
        })
    }

    /// A header of a union that has become valid makes the others invalid.
    pub(crate) fn invalidate_siblings(&mut self, header: u16) -> Result {
        for &sibling in self.layout.siblings(header) {
            let valid = self.layout.headers[usize::from(sibling)].valid;
            let invalid = self.code.small_constant(0)?;
            self.code.emit(Instruction::Copy { to: valid, from: invalid })?;
        }
        Ok(())
    }

    /// Assigns headers or header unions.
    pub(crate) fn assign_header(&mut self, primitive: &Primitive) -> Result {
        let [to, from] = arguments(primitive)?;
        let to = self.element(&Expression::from_typed(to)?)?;
        let from = self.element(&Expression::from_typed(from)?)?;
        let [to, from] = [to, from].map(Selection::positions);
        let (to, to_elements) = to;
        let (from, from_elements) = from;
        self.for_selected(&to, |lowering, to| {
            lowering.for_selected(&from, |lowering, from| {
                lowering.assign_element(&to_elements[to], &from_elements[from])
            })
        })
    }

    /// Emits the assignment of a header or of all headers of a union.
    pub(crate) fn assign_element(&mut self, to: &Element, from: &Element) -> Result {
        if to.headers.len() != from.headers.len() {
            return Err(Problem::invalid("an assignment needs unions of one type"));
        }
        for (&to, &from) in to.headers.iter().zip(&from.headers) {
            if !self.layout.same_type(to, from) {
                return Err(Problem::invalid("assign_header needs headers of one type"));
            }
            if self.layout.is_metadata(to) || self.layout.is_metadata(from) {
                self.assign_metadata(to, from)?;
            } else {
                self.code.emit(Instruction::AssignHeader { to, from })?;
            }
        }
        match to.headers.as_slice() {
            [header] if !self.layout.siblings(*header).is_empty() => {
                let end = self.code.new_label();
                let condition = self.layout.headers[usize::from(*header)].valid;
                let target = end.target();
                self.code.emit(Instruction::JumpIfZero { condition, target })?;
                self.invalidate_siblings(*header)?;
                self.code.place(end);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Metadata always counts as valid.
    fn assign_metadata(&mut self, to: u16, from: u16) -> Result {
        let layout = self.layout;
        for (&to, &from) in layout.fields_of(to).iter().zip(layout.fields_of(from)) {
            self.touch(to)?;
            self.copy_limbs(to, from)?;
            if let (Some(to), Some(from)) =
                (layout.variable_length(to), layout.variable_length(from))
            {
                self.code.copy(to, from)?;
            }
        }
        let one = self.code.small_constant(1)?;
        match layout.is_metadata(to) {
            true => Ok(()),
            false => self.code.copy(layout.headers[usize::from(to)].valid, one),
        }
    }

    /// Assigns a field of variable length, and its length.
    pub(crate) fn assign_variable(&mut self, primitive: &Primitive) -> Result {
        let [to, from] = arguments(primitive)?;
        let (to, from) = (self.target(to)?, self.target(from)?);
        self.touch(to)?;
        self.copy_variable(to, from)
    }

    /// Emits a copy between fields of variable length.
    pub(crate) fn copy_variable(&mut self, to: Place, from: Place) -> Result {
        let lengths = (self.layout.variable_length(to), self.layout.variable_length(from));
        match lengths {
            (Some(to_length), Some(from_length)) if to.kind == from.kind => {
                self.code.copy(to_length, from_length)?;
                self.copy_limbs(to, from)
            }
            _ => Err(Problem::invalid("a varbit can only be assigned to one of its type")),
        }
    }
}
