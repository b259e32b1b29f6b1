//! Lowers `log_msg`.

use super::arguments::arguments;
use crate::compile::declared::next_place;
use crate::compile::lower::expression::is_boolean;
use crate::compile::lower::lowering::Lowering;
use crate::error::Result;
use crate::json::{self, Expression, Primitive, TypedValue, UnaryOperation};
use crate::program::{Instruction, LogMessage};

impl Lowering<'_> {
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
