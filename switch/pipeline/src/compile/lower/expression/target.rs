//! The targets of assignments.

use super::selection::Selection;
use crate::compile::lower::lowering::Lowering;
use crate::error::{Problem, Result};
use crate::json::{Expression, FieldName, TypedValue};
use crate::program::{Instruction, Place, Slot, Type};

impl Lowering<'_> {
    /// Emits an operation on the target of an assignment. One that is chosen at run time is
    /// worked on in a copy, which is written back.
    pub(crate) fn through(
        &mut self,
        target: &TypedValue,
        operation: impl FnOnce(&mut Self, Place) -> Result,
    ) -> Result {
        let target = self.selected_target(target)?;
        if let Selection::One(place) = target {
            self.touch(place)?;
            return operation(self, place);
        }
        let copy = self.selected(&target)?;
        operation(self, copy)?;
        self.store_selected(&target, copy)
    }

    /// Emits `target = value`.
    pub(crate) fn assign_to(&mut self, target: &TypedValue, value: &Expression) -> Result {
        let target = self.selected_target(target)?;
        let kind = match &target {
            Selection::One(place) => {
                self.touch(*place)?;
                return self.assign(*place, value);
            }
            Selection::Indexed { choices, .. } => choices[0].kind,
        };
        let value = match kind {
            Type::Signed(_) => {
                let copy = self.code.temporary(kind)?;
                self.assign(copy, value)?;
                copy
            }
            _ => {
                let value = self.modulo(value, kind.bits())?;
                self.extend(value, kind.limbs())?
            }
        };
        self.store_selected(&target, value)
    }

    fn selected_target(&mut self, target: &TypedValue) -> Result<Selection<Place>> {
        match Expression::from_typed(target)? {
            Expression::FieldOf(header, field) => self.field_of(&header, &field),
            _ => self.target(target).map(Selection::One),
        }
    }

    /// Takes note that a field is about to be written, and emits that where packets keep account
    /// of it.
    pub(crate) fn touch(&mut self, place: Place) -> Result {
        self.layout.note_write(place);
        let slots = place.slots();
        match self.layout.elements.contains(&slots.start) {
            true => self.code.emit(Instruction::Touch { end: slots.end as Slot }),
            false => Ok(()),
        }
    }

    /// The place of a field that is written to.
    pub(crate) fn target(&self, target: &TypedValue) -> Result<Place> {
        match Expression::from_typed(target)? {
            Expression::Field(field) => self.writable(&field),
            _ => Err(Problem::unsupported(
                format!("a '{}' as the target of an assignment", target.kind),
                &["field"],
            )),
        }
    }

    fn writable(&self, field: &FieldName) -> Result<Place> {
        match field.1.as_str() {
            "$valid$" => Err(Problem::invalid("the validity of a header is read-only")),
            _ => self.layout.field(field),
        }
    }
}
