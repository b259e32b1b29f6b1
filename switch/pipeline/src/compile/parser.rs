//! Lowers the parser: a graph of states (`parsers` of the JSON format).

use super::assembler::Label;
use super::expression::Lowering;
use super::layout::{unknown, MAX_BITS};
use crate::bits::{self, limbs_for};
use crate::error::{InObject, LoadError, Problem};
use crate::json::{self, Accessor, BinaryOperation, Expression, Number, ParseState, TypedValue};
use crate::program::{Instruction, Mark, Operand, Slot, Type};
use std::collections::HashMap;

const OPERATIONS: [&str; 7] =
    ["extract", "extract_VL", "set", "verify", "advance", "shift", "primitive"];
const KEYS: [&str; 4] = ["field", "stack_field", "union_stack_field", "lookahead"];

/// The furthest bit that can be looked ahead to.
const MAX_LOOKAHEAD_BITS: u32 = 1 << 16;

/// The states of one parser.
#[derive(Debug)]
struct Graph<'p> {
    states: Vec<&'p ParseState>,
    indexes: HashMap<&'p str, usize>,
    labels: Vec<Label>,
    /// States that a cycle returns to.
    loops: Vec<bool>,
    /// Where the parser ends.
    end: Label,
}

impl Lowering<'_> {
    /// Emits the parser. It ends by falling through, also after an error.
    pub(crate) fn parser(&mut self, parser: &json::Parser) -> Result<(), LoadError> {
        let end = self.code.new_label();
        if let Some(start) = &parser.init_state {
            let graph = self.graph(parser, end).in_object("parser", &parser.name)?;
            let start = graph.index(start).in_object("parser", &parser.name)?;
            let order = graph.order(start).in_object("parser", &parser.name)?;
            let loops = graph.loops(&order).in_object("parser", &parser.name)?;
            let graph = Graph { loops, ..graph };
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
    fn stack_error(&mut self, out_of_bounds: Label, end: Label) -> Result<(), Problem> {
        if self.layout.has_stacks() {
            self.code.jump(end)?;
        }
        self.code.place(out_of_bounds);
        if self.layout.has_stacks() {
            let code = self.code.small_constant(self.stack_out_of_bounds_code)?;
            self.code.copy(self.parser_error.slot, code)?;
        }
        Ok(())
    }

    fn graph<'p>(&mut self, parser: &'p json::Parser, end: Label) -> Result<Graph<'p>, Problem> {
        let mut graph = Graph {
            states: parser.parse_states.iter().collect(),
            indexes: HashMap::new(),
            labels: Vec::new(),
            loops: Vec::new(),
            end,
        };
        for (index, state) in parser.parse_states.iter().enumerate() {
            graph.labels.push(self.code.new_label());
            if graph.indexes.insert(&state.name, index).is_some() {
                return Err(Problem::invalid(format!("state '{}' is declared twice", state.name)));
            }
        }
        Ok(graph)
    }

    fn state(
        &mut self,
        graph: &Graph<'_>,
        index: usize,
        next: Option<usize>,
    ) -> Result<(), Problem> {
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

    fn parser_operation(
        &mut self,
        operation: &json::ParserOperation,
        end: Label,
    ) -> Result<(), Problem> {
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
                self.assign(self.parser_error, &Expression::from_json(error)?)?;
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

    /// Emits the extraction of a header, whose field of variable length has `length` bits.
    fn extract(
        &mut self,
        header: &TypedValue,
        length: Option<Slot>,
        end: Label,
    ) -> Result<(), Problem> {
        let (stack, member) = match header.kind.as_str() {
            "regular" => {
                let name: String = json::read(&header.value, "header")?;
                let header = self.layout.wire_header_index(&name)?;
                return self.extract_to(header, length, end);
            }
            "stack" => (json::read(&header.value, "stack")?, None),
            "union_stack" => {
                let (stack, member): (String, _) = json::read(&header.value, "union_stack")?;
                (stack, Some(Accessor::Name(member)))
            }
            other => {
                return Err(Problem::unsupported(
                    format!("extraction to a '{other}'"),
                    &["regular", "stack", "union_stack"],
                ))
            }
        };
        self.extract_next(&stack, member.as_ref(), length, end)
    }

    /// Emits the extraction to the next element of a stack.
    fn extract_next(
        &mut self,
        stack: &str,
        member: Option<&Accessor>,
        length: Option<Slot>,
        end: Label,
    ) -> Result<(), Problem> {
        let layout = self.layout;
        let stack = layout.stack(stack)?;
        let full = self.stack_out_of_bounds.unwrap_or(end);
        self.switch(stack.next, stack.elements.len(), full, |lowering, index| {
            let element = &stack.elements[index];
            let position = match (member, &element.members) {
                (None, None) => 0,
                (Some(member), Some(_)) => element.member(member)?,
                _ => return Err(Problem::invalid("a union needs the name of a header")),
            };
            lowering.extract_to(element.headers[position], length, end)?;
            let next = lowering.code.small_constant(index as u64 + 1)?;
            lowering.code.emit(Instruction::Copy { to: stack.next, from: next })
        })
    }

    fn extract_to(&mut self, header: u16, length: Option<Slot>, end: Label) -> Result<(), Problem> {
        let failed = end.target();
        let variable = self.layout.headers[usize::from(header)].variable.is_some();
        self.code.emit(match (length, variable) {
            (None, false) => Instruction::Extract { header, failed },
            (Some(length), true) => Instruction::ExtractVariable { header, length, failed },
            (None, true) => return Err(Problem::invalid("a header with a varbit needs a length")),
            (Some(_), false) => return Err(Problem::invalid("the header has no varbit")),
        })?;
        self.invalidate_siblings(header)
    }

    fn set(&mut self, target: &TypedValue, value: &TypedValue, end: Label) -> Result<(), Problem> {
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
    fn lookahead(&mut self, value: &TypedValue, end: Label) -> Result<Operand, Problem> {
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

    /// Emits the choice of the next state: the first transition that matches. As in BMv2, a key
    /// that no transition matches ends the parser without an error.
    fn transitions(
        &mut self,
        graph: &Graph<'_>,
        state: &ParseState,
        next: Option<usize>,
    ) -> Result<(), Problem> {
        let selects = state.transitions.iter().any(|transition| transition.kind != "default");
        let mut key = Vec::new();
        if selects {
            for part in &state.transition_key {
                key.push(self.key_part(part, graph.end)?);
            }
        }
        // BMv2 keeps one default transition apart from the others: the last one given.
        let mut default = graph.end;
        for transition in &state.transitions {
            let target = graph.target(transition)?;
            match transition.kind.as_str() {
                "default" => default = target,
                "hexstr" => self.transition(&key, transition, target)?,
                "parse_vset" => self.value_set_transition(&key, transition, target)?,
                other => {
                    return Err(Problem::unsupported(
                        format!("transition type '{other}'"),
                        &["hexstr", "parse_vset", "default"],
                    ))
                }
            }
        }
        let falls_through = next.map_or(graph.end, |next| graph.labels[next]) == default;
        match falls_through {
            true => Ok(()),
            false => self.code.jump(default),
        }
    }

    fn key_part(&mut self, part: &TypedValue, end: Label) -> Result<Operand, Problem> {
        match part.kind.as_str() {
            "field" | "stack_field" | "union_stack_field" => {
                let value = self.exact(&Expression::from_typed(part)?)?;
                self.truncate(value, value.kind.bits())
            }
            "lookahead" => self.lookahead(part, end),
            other => Err(Problem::unsupported(format!("transition key '{other}'"), &KEYS)),
        }
    }

    /// Value and mask of a transition are the key's fields, each padded to whole bytes.
    fn transition(
        &mut self,
        key: &[Operand],
        transition: &json::Transition,
        target: Label,
    ) -> Result<(), Problem> {
        if key.is_empty() {
            return Err(Problem::invalid("a transition has a value, but the state has no key"));
        }
        let padded = key.iter().map(|part| part.kind.bits().div_ceil(8) * 8).sum();
        let value = padded_number(transition.value.as_deref(), padded)?
            .ok_or_else(|| Problem::invalid("a transition has no value"))?;
        let mask = padded_number(transition.mask.as_deref(), padded)?;
        let mismatch = self.code.new_label();
        let mut end = padded;
        for (position, &part) in key.iter().enumerate() {
            end -= part.kind.bits().div_ceil(8) * 8;
            let wanted = cut_out(&value, end, part.kind.bits().div_ceil(8) * 8);
            let mask = mask.as_ref().map(|mask| cut_out(mask, end, part.kind.bits()));
            let last = position + 1 == key.len();
            self.transition_part(part, &wanted, mask, last, target, mismatch)?;
        }
        self.code.place(mismatch);
        Ok(())
    }

    /// Emits the comparison of one field: a jump to `mismatch`, or from the last one to `target`.
    fn transition_part(
        &mut self,
        part: Operand,
        wanted: &[u64],
        mask: Option<Vec<u64>>,
        last: bool,
        target: Label,
        mismatch: Label,
    ) -> Result<(), Problem> {
        let mut part = part;
        let mut wanted = wanted.to_vec();
        if let Some(mask) = mask {
            for (limb, mask) in wanted.iter_mut().zip(&mask) {
                *limb &= mask;
            }
            if mask != bits::ones(part.kind.bits()) {
                let mask = self.code.limbs_constant(&mask, part.kind)?;
                part = self.arithmetic(BinaryOperation::BitAnd, part, mask, part.kind)?;
            }
        }
        let wanted_kind = Type::Unsigned(part.kind.bits().div_ceil(8) * 8);
        let wanted = self.code.limbs_constant(&wanted, wanted_kind)?;
        let label = if last { target } else { mismatch };
        self.branch_on_comparison(BinaryOperation::Equal, part, wanted, last, label)
    }
}

impl Graph<'_> {
    fn index(&self, name: &str) -> Result<usize, Problem> {
        self.indexes.get(name).copied().ok_or_else(|| unknown("parser state", name))
    }

    fn target(&self, transition: &json::Transition) -> Result<Label, Problem> {
        match &transition.next_state {
            Some(name) => Ok(self.labels[self.index(name)?]),
            None => Ok(self.end),
        }
    }

    /// The reachable states, each as late as possible, so that most transitions lead forwards.
    fn order(&self, start: usize) -> Result<Vec<usize>, Problem> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.states.len()];
        // A state and how many of its transitions have been followed.
        let mut path = vec![(start, 0)];
        seen[start] = true;
        while let Some((state, followed)) = path.last_mut() {
            let Some(transition) = self.states[*state].transitions.get(*followed) else {
                order.push(*state);
                path.pop();
                continue;
            };
            *followed += 1;
            if let Some(name) = &transition.next_state {
                let next = self.index(name)?;
                if !std::mem::replace(&mut seen[next], true) {
                    path.push((next, 0));
                }
            }
        }
        order.reverse();
        Ok(order)
    }

    /// The states that a transition returns to from a later one or from themselves: every cycle
    /// passes one of them.
    fn loops(&self, order: &[usize]) -> Result<Vec<bool>, Problem> {
        let mut positions = vec![0; self.states.len()];
        for (position, &state) in order.iter().enumerate() {
            positions[state] = position;
        }
        let mut loops = vec![false; self.states.len()];
        for &state in order {
            for transition in &self.states[state].transitions {
                if let Some(name) = &transition.next_state {
                    let next = self.index(name)?;
                    loops[next] |= positions[next] <= positions[state];
                }
            }
        }
        Ok(loops)
    }
}

/// A value or mask of a transition.
fn padded_number(text: Option<&str>, bits: u32) -> Result<Option<Vec<u64>>, Problem> {
    let Some(text) = text else { return Ok(None) };
    match Number::from_hexstr(text)?.unsigned(bits) {
        Some(limbs) => Ok(Some(limbs)),
        None => Err(Problem::invalid(format!(
            "'{text}' does not fit the transition key of {bits} bits"
        ))),
    }
}

/// `bits` bits of a number, from bit `start` upwards.
fn cut_out(number: &[u64], start: u32, bits: u32) -> Vec<u64> {
    let limb = |index: usize| number.get(index).copied().unwrap_or(0);
    let (skip, shift) = ((start / 64) as usize, start % 64);
    let mut part: Vec<u64> = (0..limbs_for(bits))
        .map(|index| {
            let word = u128::from(limb(skip + index + 1)) << 64 | u128::from(limb(skip + index));
            (word >> shift) as u64
        })
        .collect();
    bits::truncate(&mut part, bits);
    part
}
