//! Lowers `log_msg`.

use super::action::arguments;
use super::expression::Lowering;
use super::typing::is_boolean;
use crate::error::Problem;
use crate::json::{self, Expression, Primitive, TypedValue, UnaryOperation};
use crate::program::{Instruction, LogMessage};

impl Lowering<'_> {
    /// Emits a line of a program's log: a format and its values.
    pub(super) fn log_message(&mut self, primitive: &Primitive) -> Result<(), Problem> {
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
    pub(super) fn log(&mut self, message: LogMessage) -> Result<(), Problem> {
        let index = u16::try_from(self.log_messages.len())
            .map_err(|_| Problem::unsupported("one more log message", &["up to 65536"]))?;
        self.log_messages.push(message);
        self.code.emit(Instruction::Log { message: index })
    }
}
