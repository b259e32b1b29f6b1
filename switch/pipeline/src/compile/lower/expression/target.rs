//! The targets of assignments.

use super::selection::Selection;
use crate::compile::lower::lowering::Lowering;
use crate::error::Problem;
use crate::json::{Expression, FieldName, TypedValue};
use crate::program::{Instruction, Place, Slot};

impl Lowering<'_> {
    /// Emits an operation on the target of an assignment. One that is chosen at run time is
    /// worked on in a copy, which is written back.
    pub(crate) fn through(
        &mut self,
        target: &TypedValue,
        operation: impl FnOnce(&mut Self, Place) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let Expression::FieldOf(header, field) = Expression::from_typed(target)? else {
            let place = self.target(target)?;
            self.touch(place)?;
            return operation(self, place);
        };
        let field = self.field_of(&header, &field)?;
        if let Selection::One(place) = field {
            self.touch(place)?;
            return operation(self, place);
        }
        let copy = self.selected(&field)?;
        operation(self, copy)?;
        self.for_selected(&field, |lowering, place| {
            lowering.touch(place)?;
            lowering.copy_limbs(place, copy)
        })
    }

    /// Takes note that a field is about to be written, and emits that where packets keep account
    /// of it.
    pub(crate) fn touch(&mut self, place: Place) -> Result<(), Problem> {
        self.layout.note_write(place);
        let slots = place.slots();
        match self.layout.elements.contains(&slots.start) {
            true => self.code.emit(Instruction::Touch { end: slots.end as Slot }),
            false => Ok(()),
        }
    }

    /// The place of a field that is written to.
    pub(crate) fn target(&self, target: &TypedValue) -> Result<Place, Problem> {
        match Expression::from_typed(target)? {
            Expression::Field(field) => self.writable(&field),
            _ => Err(Problem::unsupported(
                format!("a '{}' as the target of an assignment", target.kind),
                &["field"],
            )),
        }
    }

    fn writable(&self, field: &FieldName) -> Result<Place, Problem> {
        match field.1.as_str() {
            "$valid$" => Err(Problem::invalid("the validity of a header is read-only")),
            _ => self.layout.field(field),
        }
    }
}
