//! Match keys between `FieldMatch` messages and the engine (P4Runtime 1.5, section 9.1.1).
//!
//! The engine wants one match per key field, in order; a message omits the fields that do not care.
//! Values are canonical byte strings both ways, so equal keys are equal.

use std::fmt;

use pipeline::Match;

use super::translated_match;
use crate::messages::runtime::{FieldMatch, Lpm, MatchType, Range, Ternary, Value};
use crate::numbers::{all_ones, canonical, decode};
use crate::program::{KeyField, Keyed, MatchKind};
use crate::status::{Error, Result};
use crate::text::{hex, listed};

/// How messages name a field of a key.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    owner: &'a dyn Keyed,
    part: &'a KeyField,
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = &self.part.field;
        match field.name.as_str() {
            "" => write!(formatter, "key field {} of {}", field.id, self.owner),
            name => write!(formatter, "key field {name} of {}", self.owner),
        }
    }
}

/// The key that the messages describe. Refuses, naming table and field, a match that the
/// specification forbids and a value that does not fit.
pub(crate) fn to_engine(owner: &dyn Keyed, given: &[FieldMatch]) -> Result<Vec<Match>> {
    let key = owner.key();
    for (position, one) in given.iter().enumerate() {
        let Some(part) = key.iter().find(|part| part.field.id == one.field_id) else {
            return Err(no_field(owner, one.field_id));
        };
        if given[..position].iter().any(|other| other.field_id == one.field_id) {
            return Err(invalid!("{} is given twice", Named { owner, part }));
        }
    }
    let field = |part: &KeyField| {
        let one = given.iter().find(|one| one.field_id == part.field.id);
        engine_match(Named { owner, part }, one)
    };
    key.iter().map(field).collect()
}

/// The messages of a key; fields that do not care are left out.
pub(crate) fn messages(owner: &dyn Keyed, key: &[Match]) -> Vec<FieldMatch> {
    let parts = owner.key().iter().zip(key);
    parts.filter_map(|(part, given)| message(part, given)).collect()
}

/// Whether two keys of the engine are the same.
pub(crate) fn are_equal(owner: &dyn Keyed, one: &[Match], other: &[Match]) -> bool {
    let parts = owner.key().iter();
    let mut pairs = parts.zip(one.iter().zip(other));
    pairs.all(|(part, (one, other))| {
        simplified(one, part.field.width_bits) == simplified(other, part.field.width_bits)
    })
}

/// A match with canonical byte strings, and one way to say that a field does not care.
fn simplified(given: &Match, width_bits: u32) -> Match {
    let short = |value: &[u8]| canonical(value).to_vec();
    match given {
        Match::Exact(value) => Match::Exact(short(value)),
        Match::Lpm { prefix_length: 0, .. } | Match::Any => Match::Any,
        Match::Lpm { value, prefix_length } => {
            Match::Lpm { value: short(value), prefix_length: *prefix_length }
        }
        Match::Ternary { mask, .. } if canonical(mask) == [0] => Match::Any,
        Match::Ternary { value, mask } => Match::Ternary { value: short(value), mask: short(mask) },
        Match::Range { low, high }
            if canonical(low) == [0] && canonical(high) == all_ones(width_bits) =>
        {
            Match::Any
        }
        Match::Range { low, high } => Match::Range { low: short(low), high: short(high) },
    }
}

fn no_field(owner: &dyn Keyed, id: u32) -> Error {
    let valid = owner.key().iter().map(|part| match part.field.name.as_str() {
        "" => part.field.id.to_string(),
        name => format!("{} ({name})", part.field.id),
    });
    invalid!("{owner} has no key field {id}; valid: {}", listed(valid))
}

fn engine_match(what: Named<'_>, given: Option<&FieldMatch>) -> Result<Match> {
    let Named { part, .. } = what;
    let (kind, width_bits) = (part.kind, part.field.width_bits);
    let Some(given) = given else {
        return match kind {
            MatchKind::Exact => {
                Err(invalid!("{what} is missing; an exact match cannot be omitted"))
            }
            _ => Ok(Match::Any),
        };
    };
    if part.field.translation.is_some() && is_of(kind, given) {
        return translated_match::to_engine(part, given, &what);
    }
    match (kind, &given.match_type) {
        (MatchKind::Exact, Some(MatchType::Exact(Value { value }))) => {
            Ok(Match::Exact(decode(value, width_bits, &what)?.to_vec()))
        }
        (MatchKind::Optional, Some(MatchType::Optional(Value { value }))) => {
            let value = decode(value, width_bits, &what)?.to_vec();
            Ok(Match::Ternary { value, mask: all_ones(width_bits) })
        }
        (MatchKind::Lpm, Some(MatchType::Lpm(given))) => lpm(given, width_bits, what),
        (MatchKind::Ternary, Some(MatchType::Ternary(given))) => ternary(given, width_bits, what),
        (MatchKind::Range, Some(MatchType::Range(given))) => range(given, width_bits, what),
        (kind, given) => {
            let given = given.as_ref().map_or("without a type", name);
            Err(invalid!("{what} is matched {}, not {given}", kind.name()))
        }
    }
}

fn is_of(kind: MatchKind, given: &FieldMatch) -> bool {
    given.match_type.as_ref().is_some_and(|given| name(given) == kind.name())
}

fn name(given: &MatchType) -> &'static str {
    match given {
        MatchType::Exact(_) => "exact",
        MatchType::Ternary(_) => "ternary",
        MatchType::Lpm(_) => "lpm",
        MatchType::Range(_) => "range",
        MatchType::Optional(_) => "optional",
        MatchType::Other(_) => "other",
    }
}

fn lpm(given: &Lpm, width_bits: u32, what: Named<'_>) -> Result<Match> {
    let value = decode(&given.value, width_bits, &what)?;
    let length = given.prefix_len;
    let prefix_length = match u32::try_from(length) {
        Ok(length) if (1..=width_bits).contains(&length) => length,
        _ => {
            return Err(invalid!(
                "{what} has prefix length {length}; valid: 1 to {width_bits} (omit the field to \
                 match anything)"
            ))
        }
    };
    if trailing_zeros(value) < width_bits - prefix_length && value != [0] {
        return Err(invalid!("{what} is {}, with bits set below /{length}", hex(value)));
    }
    Ok(Match::Lpm { value: value.to_vec(), prefix_length })
}

fn trailing_zeros(value: &[u8]) -> u32 {
    let zero_bytes = value.iter().rev().take_while(|&&byte| byte == 0).count();
    let last = value.len().checked_sub(zero_bytes + 1).map_or(0, |position| value[position]);
    zero_bytes as u32 * 8 + last.trailing_zeros()
}

fn ternary(given: &Ternary, width_bits: u32, what: Named<'_>) -> Result<Match> {
    let value = decode(&given.value, width_bits, &what)?;
    let mask = decode(&given.mask, width_bits, &format_args!("mask of {what}"))?;
    if mask == [0] {
        return Err(invalid!("mask of {what} is zero; omit the field to match anything"));
    }
    let masks = mask.iter().rev().chain(std::iter::repeat(&0));
    if value.iter().rev().zip(masks).any(|(value, mask)| value & !mask != 0) {
        return Err(invalid!("{what} is {}, with bits set outside mask {}", hex(value), hex(mask)));
    }
    Ok(Match::Ternary { value: value.to_vec(), mask: mask.to_vec() })
}

fn range(given: &Range, width_bits: u32, what: Named<'_>) -> Result<Match> {
    let low = decode(&given.low, width_bits, &format_args!("low end of {what}"))?;
    let high = decode(&given.high, width_bits, &format_args!("high end of {what}"))?;
    if (low.len(), low) > (high.len(), high) {
        return Err(invalid!("{what} ranges from {} down to {}", hex(low), hex(high)));
    }
    if low == [0] && high == all_ones(width_bits) {
        return Err(invalid!("{what} ranges over all values; omit the field to match anything"));
    }
    Ok(Match::Range { low: low.to_vec(), high: high.to_vec() })
}

fn message(part: &KeyField, given: &Match) -> Option<FieldMatch> {
    let given = simplified(given, part.field.width_bits);
    if given == Match::Any {
        return None;
    }
    if part.field.translation.is_some() {
        return Some(translated_match::message(part, &given));
    }
    let match_type = match given {
        Match::Exact(value) => MatchType::Exact(Value { value }),
        Match::Lpm { value, prefix_length } => {
            MatchType::Lpm(Lpm { value, prefix_len: prefix_length as i32 })
        }
        Match::Ternary { value, .. } if part.kind == MatchKind::Optional => {
            MatchType::Optional(Value { value })
        }
        Match::Ternary { value, mask } => MatchType::Ternary(Ternary { value, mask }),
        Match::Range { low, high } => MatchType::Range(Range { low, high }),
        Match::Any => return None,
    };
    Some(FieldMatch { field_id: part.field.id, match_type: Some(match_type) })
}
