//! Lowers the primitives by which a program asks for copies and further runs of a packet.

use super::arguments::arguments;
use crate::compile::lower::lowering::Lowering;
use crate::error::{Problem, Result};
use crate::json::{Expression, Primitive, TypedValue};
use crate::program::Instruction;

impl Lowering<'_> {
    /// As in BMv2, what runs when the copies are made depends on the control, not on the primitive.
    pub(crate) fn clone(&mut self, primitive: &Primitive) -> Result {
        let [session, field_list] = arguments(primitive)?;
        let session = self.word(session)?.slot;
        let field_list = self.field_list(field_list)?;
        self.code.emit(Instruction::Clone { session, field_list })
    }

    pub(crate) fn resubmit(&mut self, primitive: &Primitive) -> Result {
        let [field_list] = arguments(primitive)?;
        let field_list = self.field_list(field_list)?;
        self.code.emit(Instruction::Resubmit { field_list })
    }

    pub(crate) fn recirculate(&mut self, primitive: &Primitive) -> Result {
        let [field_list] = arguments(primitive)?;
        let field_list = self.field_list(field_list)?;
        self.code.emit(Instruction::Recirculate { field_list })
    }

    pub(crate) fn truncate_frame(&mut self, primitive: &Primitive) -> Result {
        let [length_bytes] = arguments(primitive)?;
        let length_bytes = self.word(length_bytes)?.slot;
        self.code.emit(Instruction::TruncateFrame { length_bytes })
    }

    fn field_list(&self, list: &TypedValue) -> Result<u16> {
        let Expression::Number(number) = Expression::from_typed(list)? else {
            return Err(Problem::unsupported("a variable field list", &["constants"]));
        };
        match number.to_u32() {
            Some(id) => self.field_lists.find(&u64::from(id)),
            None => Err(Problem::unknown("field list", &format!("{number:?}"))),
        }
    }
}
