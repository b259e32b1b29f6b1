//! Lowers the choice of a parser's next state.

use super::graph::Graph;
use crate::compile::assembler::Label;
use crate::compile::lower::lowering::Lowering;
use crate::error::{Problem, Result};
use crate::json::{self, BinaryOperation, Expression, Number, ParseState, TypedValue};
use crate::numbers::bits::{self, limbs_for};
use crate::program::{Operand, Type};

const KEYS: [&str; 5] = ["field", "stack_field", "union_stack_field", "lookahead", "hexstr"];
impl Lowering<'_> {
    /// Emits the choice of the next state: the first transition that matches. As in BMv2, a key
    /// that no transition matches ends the parser without an error.
    pub(crate) fn transitions(
        &mut self,
        graph: &Graph<'_>,
        state: &ParseState,
        next: Option<usize>,
    ) -> Result {
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

    fn key_part(&mut self, part: &TypedValue, end: Label) -> Result<Operand> {
        match part.kind.as_str() {
            "field" | "stack_field" | "union_stack_field" => {
                let value = self.exact(&Expression::from_typed(part)?)?;
                self.truncate(value, value.kind.bits())
            }
            "lookahead" => self.lookahead(part, end),
            "hexstr" => self.constant_part(&json::read::<String>(&part.value, "hexstr")?),
            other => Err(Problem::unsupported(format!("transition key '{other}'"), &KEYS)),
        }
    }

    /// A constant that p4c has found, padded to whole bytes as all parts are: two digits each.
    fn constant_part(&mut self, text: &str) -> Result<Operand> {
        let bits = 8 * (text.len().saturating_sub("0x".len()) as u32).div_ceil(2);
        let value = padded_number(Some(text), bits)?.unwrap_or_default();
        self.code.limbs_constant(&value, Type::Unsigned(bits))
    }

    /// Value and mask of a transition are the key's fields, each padded to whole bytes.
    fn transition(
        &mut self,
        key: &[Operand],
        transition: &json::Transition,
        target: Label,
    ) -> Result {
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
    ) -> Result {
        let mut part = part;
        let mut wanted = wanted.to_vec();
        let ones = bits::ones(part.kind.bits());
        let mask = mask.unwrap_or_else(|| ones.clone());
        for (limb, mask) in wanted.iter_mut().zip(&mask) {
            *limb &= mask;
        }
        // A transition compares bits, also those of a number with a sign.
        if mask != ones || part.kind.is_signed() {
            let kind = Type::Unsigned(part.kind.bits());
            let mask = self.code.limbs_constant(&mask, kind)?;
            part = self.arithmetic(BinaryOperation::BitAnd, part, mask, kind)?;
        }
        let wanted_kind = Type::Unsigned(part.kind.bits().div_ceil(8) * 8);
        let wanted = self.code.limbs_constant(&wanted, wanted_kind)?;
        let label = if last { target } else { mismatch };
        self.branch_on_comparison(BinaryOperation::Equal, part, wanted, last, label)
    }
}

/// A value or mask of a transition.
fn padded_number(text: Option<&str>, bits: u32) -> Result<Option<Vec<u64>>> {
    let Some(text) = text else { return Ok(None) };
    match Number::from_hexstr(text)?.unsigned_or_negative(bits) {
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
