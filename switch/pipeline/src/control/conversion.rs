//! Between the control plane's bytes and the tables' limbs.

use super::{invalid, unknown, Result};
use crate::numbers::bits;
use crate::table::{Call, FieldMatch, Key, KeyField, Table};
use crate::types::{ActionCall, ActionInfo, KeyInfo, Match, MatchKind};

/// The key that the matches stand for; they must fit the table.
pub(super) fn key_from(table: &Table, matches: &[Match], priority: i32) -> Result<Key> {
    let fail = |reason: String| Err(invalid("table", &table.name, reason));
    if table.fields.is_empty() {
        return fail("it has no key and holds no entries".into());
    }
    if matches.len() != table.fields.len() {
        let (given, wanted) = (matches.len(), table.fields.len());
        return fail(format!("a key of {given} fields, but the table's has {wanted}"));
    }
    match (table.needs_priority(), priority) {
        (true, ..=0) => return fail(format!("priority {priority}; valid: 1 and above")),
        (false, 1.. | ..=-1) => return fail(format!("priority {priority}; valid: 0")),
        _ => {}
    }
    let fields = table.fields.iter().zip(matches);
    let fields = fields.map(|(field, given)| {
        let matched = field_from(field, given).map_err(|reason| {
            invalid("table", &table.name, format!("key {}: {reason}", field.name))
        })?;
        Ok(matched.under_mask_of(field))
    });
    Ok(Key { fields: fields.collect::<Result<_, _>>()?, priority })
}

fn field_from(field: &KeyField, given: &Match) -> Result<FieldMatch, String> {
    match (field.kind, given) {
        (MatchKind::Exact, Match::Any) => Err("an exact field needs a value".into()),
        (_, Match::Any) => Ok(any(field)),
        (MatchKind::Exact, Match::Exact(_))
        | (MatchKind::Lpm, Match::Lpm { .. })
        | (MatchKind::Ternary, Match::Ternary { .. })
        | (MatchKind::Range, Match::Range { .. }) => match_from(given, field.bits()),
        (kind, given) => {
            Err(format!("{} given; valid: {}", name_of_match(given), name_of_kind(kind)))
        }
    }
}

/// What a field of so many bits must match.
pub(super) fn match_from(given: &Match, bits: u32) -> Result<FieldMatch, String> {
    Ok(match given {
        Match::Exact(value) => FieldMatch::Exact(number(value, bits)?),
        Match::Lpm { prefix_length, .. } if *prefix_length > bits => {
            return Err(format!("prefix length {prefix_length}; valid: 0 to {bits}"));
        }
        Match::Lpm { value, prefix_length } => {
            let value = number(value, bits)?;
            check_masked(&value, &bits::prefix_mask(bits, *prefix_length))?;
            FieldMatch::Lpm { value, prefix_length: *prefix_length }
        }
        Match::Ternary { value, mask } => {
            let (value, mask) = (number(value, bits)?, number(mask, bits)?);
            check_masked(&value, &mask)?;
            FieldMatch::Ternary { value, mask }
        }
        Match::Range { low, high } => {
            let (low, high) = (number(low, bits)?, number(high, bits)?);
            if low.iter().rev().gt(high.iter().rev()) {
                return Err("the range is empty: low is above high".into());
            }
            FieldMatch::Range { low, high }
        }
        Match::Any => {
            let zero = vec![0; bits::limbs_for(bits)];
            FieldMatch::Ternary { value: zero.clone(), mask: zero }
        }
    })
}

/// What matches every value of a field.
fn any(field: &KeyField) -> FieldMatch {
    let bits = field.bits();
    let zero = vec![0; field.place.limbs()];
    match field.kind {
        MatchKind::Range => FieldMatch::Range { low: zero, high: bits::ones(bits) },
        MatchKind::Lpm => FieldMatch::Lpm { value: zero, prefix_length: 0 },
        _ => FieldMatch::Ternary { value: zero.clone(), mask: zero },
    }
}

fn number(bytes: &[u8], bits: u32) -> Result<Vec<u64>, String> {
    bits::from_bytes(bytes, bits).ok_or_else(|| {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("value 0x{digits} does not fit {bits} bits")
    })
}

fn check_masked(value: &[u64], mask: &[u64]) -> Result<(), String> {
    match value.iter().zip(mask).all(|(value, mask)| value & !mask == 0) {
        true => Ok(()),
        false => Err("the value has bits where the mask has none".into()),
    }
}

fn name_of_kind(kind: MatchKind) -> &'static str {
    match kind {
        MatchKind::Exact => "exact",
        MatchKind::Lpm => "lpm",
        MatchKind::Ternary => "ternary",
        MatchKind::Range => "range",
    }
}

fn name_of_match(given: &Match) -> &'static str {
    match given {
        Match::Exact(_) => "exact",
        Match::Lpm { .. } => "lpm",
        Match::Ternary { .. } => "ternary",
        Match::Range { .. } => "range",
        Match::Any => "any",
    }
}

/// What an entry matches in a field, as the control plane sees it.
pub(super) fn match_of(field: &KeyField, matched: &FieldMatch) -> Match {
    let bytes = |limbs: &[u64]| bits::to_bytes(limbs, field.bits());
    match matched {
        FieldMatch::Exact(value) => Match::Exact(bytes(value)),
        FieldMatch::Lpm { value, prefix_length } => {
            Match::Lpm { value: bytes(value), prefix_length: *prefix_length }
        }
        FieldMatch::Ternary { value, mask } => {
            Match::Ternary { value: bytes(value), mask: bytes(mask) }
        }
        FieldMatch::Range { low, high } => Match::Range { low: bytes(low), high: bytes(high) },
    }
}

/// The call of one of `actions`.
pub(super) fn call_from(actions: &[ActionInfo], given: &ActionCall) -> Result<Call> {
    let ActionCall { name, arguments } = given;
    let position = actions
        .iter()
        .position(|known| known.name == *name)
        .ok_or_else(|| unknown("action", name, actions.iter().map(|action| &action.name)))?;
    let parameters = &actions[position].parameters;
    if parameters.len() != arguments.len() {
        let (given, wanted) = (arguments.len(), parameters.len());
        return Err(invalid("action", name, format!("{given} arguments; valid: {wanted}")));
    }
    let mut limbs = Vec::new();
    for (parameter, argument) in parameters.iter().zip(arguments) {
        let argument = number(argument, parameter.bitwidth).map_err(|reason| {
            invalid("action", name, format!("argument {}: {reason}", parameter.name))
        })?;
        limbs.extend(argument);
    }
    Ok(Call { action: position, arguments: limbs.into_boxed_slice() })
}

/// A call of one of `actions`, with its arguments as bytes.
pub(super) fn action_of(actions: &[ActionInfo], call: &Call) -> ActionCall {
    let action = &actions[call.action];
    let mut limbs = &call.arguments[..];
    let mut arguments = Vec::with_capacity(action.parameters.len());
    for parameter in &action.parameters {
        let (argument, rest) = limbs.split_at(bits::limbs_for(parameter.bitwidth));
        arguments.push(bits::to_bytes(argument, parameter.bitwidth));
        limbs = rest;
    }
    ActionCall { name: action.name.clone(), arguments }
}

/// A key field, described.
pub(super) fn key_info(field: &KeyField) -> KeyInfo {
    KeyInfo { name: field.name.clone(), kind: field.kind, bitwidth: field.bits() as usize }
}
