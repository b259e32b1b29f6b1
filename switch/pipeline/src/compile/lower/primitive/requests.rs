//! Lowers the primitives by which a program asks for copies and further runs of a packet, for digests and
//! for lines of its log.

use super::arguments::arguments;
use crate::compile::declared::next_place;
use crate::compile::lower::expression::is_boolean;
use crate::compile::lower::lowering::Lowering;
use crate::error::{Problem, Result};
use crate::json::{self, Expression, Primitive, TypedValue, UnaryOperation};
use crate::program::{Instruction, LogMessage};

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
        self.field_lists.find(&u64::from(list_id(list, "field list")?))
    }

    /// Emits the request for a digest by the id of its list.
    pub(super) fn generate_digest(&mut self, primitive: &Primitive) -> Result {
        let [_receiver, list] = arguments(primitive)?;
        let list = self.learn_lists.find(&list_id(list, "digest")?)?;
        self.code.emit(Instruction::Digest { list })
    }

    /// Emits a line of a program's log: a format and its values.
    pub(super) fn log_message(&mut self, primitive: &Primitive) -> Result {
        let [format, values] = arguments(primitive)?;
        let format: String = json::read(&format.value, "format")?;
        // p4c writes an empty object for an empty list.
        let values: Vec<TypedValue> = match values.value.is_array() {
            true => json::read(&values.value, "parameters_vector")?,
            false => Vec::new(),
        };
        let mut operands = Vec::new();
        for value in &values {
            operands.push(match Expression::from_typed(value)? {
                value if is_boolean(&value) => {
                    self.exact(&Expression::Unary(UnaryOperation::BoolToData, Box::new(value)))?
                }
                value => self.exact(&value)?,
            });
        }
        self.log(LogMessage::new(&format, &operands))
    }

    /// Emits a line of the log.
    pub(super) fn log(&mut self, message: LogMessage) -> Result {
        let index = next_place("log message", self.log_messages.len())?;
        self.log_messages.push(message);
        self.code.emit(Instruction::Log { message: index })
    }
}

/// The number that names a list: a constant of 32 bits.
fn list_id(list: &TypedValue, kind: &str) -> Result<u32> {
    let id = match Expression::from_typed(list)? {
        Expression::Number(number) => number.to_u32(),
        _ => None,
    };
    id.ok_or_else(|| Problem::unsupported(format!("a variable {kind}"), &["constants"]))
}
