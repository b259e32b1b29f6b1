//! Lowers the parser: a graph of states (`parsers` of the JSON format).

use super::graph::Graph;
use crate::compile::assembler::Label;
use crate::compile::limits::MAX_BITS;
use crate::compile::lower::lowering::Lowering;
use crate::error::{InObject, LoadError, Problem, Result};
use crate::json::{self, Expression, TypedValue};
use crate::numbers::bits;
use crate::program::{Instruction, Mark, Operand, Type};

const OPERATIONS: [&str; 7] =
    ["extract", "extract_VL", "set", "verify", "advance", "shift", "primitive"];

/// The furthest bit that can be looked ahead to.
const MAX_LOOKAHEAD_BITS: u32 = 1 << 16;

impl Lowering<'_> {
    /// Emits the parser. It ends by falling through, also after an error.
    pub(crate) fn parser(&mut self, parser: &json::Parser) -> Result<(), LoadError> {
        let end = self.code.new_label();
        if let Some(start) = &parser.init_state {
            let mut graph = Graph::new(parser, self.code, end).in_object("parser", &parser.name)?;
            let start = graph.index(start).in_object("parser", &parser.name)?;
            let order = graph.order(start).in_object("parser", &parser.name)?;
            graph.loops = graph.loops(&order).in_object("parser", &parser.name)?;
            let out_of_bounds = self.code.new_label();
            self.stack_out_of_bounds = Some(out_of_bounds);
            for (position, &state) in order.iter().enumerate() {
                let next = order.get(position + 1).copied();
                self.state(&graph, state, next)
                    .in_object("parser state", &graph.states[state].name)?;
            }
            self.stack_out_of_bounds = None;
            self.stack_error(out_of_bounds, end).in_object("parser", &parser.name)?;
        }
        self.code.place(end);
        self.code.mark(Mark::ParserEnd);
        Ok(())
    }

    /// Emits where an access outside of a stack leads.
    fn stack_error(&mut self, out_of_bounds: Label, end: Label) -> Result {
        if self.layout.has_stacks() {
            self.code.jump(end)?;
        }
        self.code.place(out_of_bounds);
        if self.layout.has_stacks() {
            let code =
                self.code.small_constant(self.standard_metadata.error_codes.stack_out_of_bounds)?;
            self.code.copy(self.standard_metadata.parser_error.place.slot, code)?;
        }
        Ok(())
    }

    fn state(&mut self, graph: &Graph<'_>, index: usize, next: Option<usize>) -> Result {
        let state = graph.states[index];
        self.code.place(graph.labels[index]);
        self.code.mark(Mark::ParserState(state.name.clone()));
        if graph.loops[index] {
            let failed = graph.end.target();
            self.code.emit(Instruction::ParserLoop { failed })?;
        }
        for operation in &state.parser_ops {
            self.parser_operation(operation, graph.end)?;
            self.code.end_statement();
        }
        self.transitions(graph, state, next)?;
        self.code.end_statement();
        Ok(())
    }

    fn parser_operation(&mut self, operation: &json::ParserOperation, end: Label) -> Result {
        let parameters = operation.parameters.as_slice();
        match (operation.op.as_str(), parameters) {
            ("extract", [header]) => self.extract(&json::read(header, "parameter")?, None, end),
            ("extract_VL", [header, length]) => {
                let length = self.exact(&Expression::from_json(length)?)?;
                let length = self.word_or_more(length)?;
                self.extract(&json::read(header, "parameter")?, Some(length), end)
            }
            ("set", [target, value]) => {
                let [target, value] = [target, value].map(|value| json::read(value, "parameter"));
                self.set(&target?, &value?, end)
            }
            ("verify", [condition, error]) => {
                let holds = self.code.new_label();
                self.branch(&Expression::from_json(condition)?, true, holds)?;
                self.assign(
                    self.standard_metadata.parser_error.place,
                    &Expression::from_json(error)?,
                )?;
                self.code.jump(end)?;
                self.code.place(holds);
                Ok(())
            }
            ("advance", [amount]) => {
                let amount = self.exact(&Expression::from_json(amount)?)?;
                let by = self.word_or_more(amount)?;
                let failed = end.target();
                self.code.emit(Instruction::Advance { by, failed })
            }
            ("shift", [bytes]) => {
                let bytes: u32 = json::read(bytes, "number of bytes")?;
                let by = self.code.small_constant(u64::from(bytes) * 8)?;
                self.code.emit(Instruction::Advance { by, failed: end.target() })
            }
            ("primitive", [primitive]) => self.primitive(&json::read(primitive, "primitive")?),
            (op, _) if OPERATIONS.contains(&op) => Err(Problem::invalid(format!(
                "parser operation '{op}' has {} parameters",
                parameters.len()
            ))),
            (op, _) => Err(Problem::unsupported(format!("parser operation '{op}'"), &OPERATIONS)),
        }
    }

    fn set(&mut self, target: &TypedValue, value: &TypedValue, end: Label) -> Result {
        if value.kind == "lookahead" {
            let value = self.lookahead(value, end)?;
            return self.through(target, |lowering, place| {
                let value = lowering.truncate(value, place.kind.bits())?;
                lowering.store(place, value)
            });
        }
        let value = Expression::from_typed(value)?;
        self.through(target, |lowering, place| {
            match (&value, lowering.layout.variable_length(place)) {
                (Expression::Field(value), Some(_)) => {
                    let value = lowering.layout.field(value)?;
                    lowering.copy_variable(place, value)
                }
                _ => lowering.assign(place, &value),
            }
        })
    }

    /// Emits a value that lies ahead in the frame.
    pub(crate) fn lookahead(&mut self, value: &TypedValue, end: Label) -> Result<Operand> {
        let (offset, bits): (u32, u32) = json::read(&value.value, "lookahead")?;
        let last = offset.saturating_add(bits);
        if bits == 0 || bits > MAX_BITS || last > MAX_LOOKAHEAD_BITS {
            return Err(Problem::unsupported(
                format!("a lookahead of {bits} bits at bit {offset}"),
                &["up to 2048 bits, which end before bit 65536"],
            ));
        }
        let kind = Type::Unsigned(bits);
        let result = self.code.temporary(kind)?;
        let mut left = bits;
        // The last bits come first: a frame that is too short fails at once.
        for limb in 0..kind.limbs() {
            let part = left.min(bits::LIMB_BITS);
            left -= part;
            self.code.emit(Instruction::LookAhead {
                to: result.slot + limb as u16,
                offset_bits: (offset + left) as u16,
                bits: part as u8,
                failed: end.target(),
            })?;
        }
        Ok(result)
    }
}
