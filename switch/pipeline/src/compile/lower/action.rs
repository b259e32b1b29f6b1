//! Lowers actions: lists of primitive calls (`actions` of the JSON format).

use super::lowering::Lowering;
use super::primitive::{arguments, condition_of};
use crate::compile::assembler::Label;
use crate::error::{Problem, Result};
use crate::json::{self, Expression, Primitive};
use crate::program::{Instruction, Mark};

impl Lowering<'_> {
    /// Emits an action whose parameters are in place. It ends by falling through.
    pub(crate) fn action(&mut self, action: &json::Action) -> Result {
        self.code.begin_statements(action.primitives.len())?;
        let labels = self
            .jump_labels(&action.primitives)
            .map_err(|problem| problem.within(format!("action {}", action.name)))?;
        for (index, primitive) in action.primitives.iter().enumerate() {
            if let Some(label) = labels[index] {
                self.code.place(label);
            }
            if let Some(source) = &primitive.source_info {
                self.code.mark(Mark::Statement(source.to_string()));
            }
            self.statement(primitive, index, &labels)
                .map_err(|problem| problem.within(location(action, primitive)))?;
            self.code.end_statement();
        }
        if let Some(Some(label)) = labels.last() {
            self.code.place(*label);
        }
        Ok(())
    }

    fn statement(
        &mut self,
        primitive: &Primitive,
        index: usize,
        labels: &[Option<Label>],
    ) -> Result {
        let leads_back = matches!(primitive.op.as_str(), "_jump" | "_jump_if_zero")
            && jump_offset(primitive)? <= index;
        if leads_back {
            self.limit_loops()?;
        }
        match primitive.op.as_str() {
            "_jump" => match labels[jump_offset(primitive)?] {
                Some(label) => self.code.jump(label),
                None => Ok(()),
            },
            "_jump_if_zero" => match labels[jump_offset(primitive)?] {
                Some(label) => self.jump_if_zero(primitive, label),
                None => Ok(()),
            },
            "exit" => self.code.jump(self.exit),
            _ => self.primitive(primitive),
        }
    }

    /// Labels for the primitives that jumps lead to, and for the end.
    fn jump_labels(&mut self, primitives: &[Primitive]) -> Result<Vec<Option<Label>>> {
        let mut labels = vec![None; primitives.len() + 1];
        for primitive in primitives {
            if matches!(primitive.op.as_str(), "_jump" | "_jump_if_zero") {
                let label = labels
                    .get_mut(jump_offset(primitive)?)
                    .ok_or_else(|| Problem::invalid("a jump leads out of the action"))?;
                label.get_or_insert_with(|| self.code.new_label());
            }
        }
        Ok(labels)
    }

    /// Emits the end of a loop that goes round too often: the packet is dropped.
    fn limit_loops(&mut self) -> Result {
        let proceed = self.code.new_label();
        self.code.emit(Instruction::Loop { proceed: proceed.target() })?;
        self.mark_to_drop()?;
        self.code.jump(self.exit)?;
        self.code.place(proceed);
        Ok(())
    }

    fn jump_if_zero(&mut self, primitive: &Primitive, label: Label) -> Result {
        let [condition, _] = arguments(primitive)?;
        self.branch(&condition_of(condition)?, false, label)
    }
}

/// The action, and the statement's place in the source. Actions that p4c makes of plain statements
/// have names that nobody knows.
fn location(action: &json::Action, primitive: &Primitive) -> String {
    match &primitive.source_info {
        Some(source) => format!("action {} ({}:{})", action.name, source.filename, source.line),
        None => format!("action {}", action.name),
    }
}

/// Which primitive a jump leads to.
fn jump_offset(primitive: &Primitive) -> Result<usize> {
    let offset = match primitive.parameters.last().map(Expression::from_typed) {
        Some(Ok(Expression::Number(number))) => number.to_u32(),
        _ => None,
    };
    match offset {
        Some(offset) => Ok(offset as usize),
        None => Err(Problem::unsupported("a jump to a variable place", &["constants"])),
    }
}
