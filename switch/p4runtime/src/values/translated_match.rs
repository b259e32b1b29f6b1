//! Matches of translated key fields (P4Runtime 1.5, section 18.1).
//!
//! They are exact, or the field does not care, whatever the kind of match: numbers of the controller
//! that a prefix, a mask or a range holds need not be so in the data plane.

use std::fmt::Display;

use pipeline::Match;

use super::fields;
use crate::messages::runtime::{FieldMatch, Lpm, MatchType, Range, Ternary, Value};
use crate::numbers::{all_ones, canonical};
use crate::program::{KeyField, MatchKind, Translation};
use crate::status::Result;

/// The engine's match. Refuses one that is not exact.
pub(super) fn to_engine(
    part: &KeyField,
    message: &FieldMatch,
    what: &dyn Display,
) -> Result<Match> {
    let are_strings = matches!(part.field.translation, Some(Translation::Strings(_)));
    if are_strings && !matches!(part.kind, MatchKind::Exact | MatchKind::Optional) {
        let kind = part.kind.name();
        return Err(invalid!(
            "{what} is translated to strings, which have no {kind} match: omit it"
        ));
    }
    let (given, is_exact) = given(part, message);
    if !is_exact {
        return Err(invalid!("{what} is of a translated type: it is matched exactly, or omitted"));
    }
    let value = fields::decode(given, &part.field, what)?.into_owned();
    let width_bits = part.field.width_bits;
    Ok(match part.kind {
        MatchKind::Exact => Match::Exact(value),
        MatchKind::Lpm => Match::Lpm { value, prefix_length: width_bits },
        MatchKind::Ternary | MatchKind::Optional => {
            Match::Ternary { value, mask: all_ones(width_bits) }
        }
        MatchKind::Range => Match::Range { low: value.clone(), high: value },
    })
}

/// The value, and whether nothing else matches.
fn given<'m>(part: &KeyField, message: &'m FieldMatch) -> (&'m [u8], bool) {
    match &message.match_type {
        Some(MatchType::Exact(exact)) => (&exact.value, true),
        Some(MatchType::Optional(optional)) => (&optional.value, true),
        Some(MatchType::Lpm(lpm)) => {
            (&lpm.value, i64::from(lpm.prefix_len) == i64::from(sdn_width(part)))
        }
        Some(MatchType::Ternary(ternary)) => {
            (&ternary.value, canonical(&ternary.mask) == all_ones(sdn_width(part)))
        }
        Some(MatchType::Range(range)) => {
            (&range.low, canonical(&range.low) == canonical(&range.high))
        }
        Some(MatchType::Other(_)) | None => (&[], false),
    }
}

/// The message of what the engine reports, which an entry of the program need not match so.
pub(super) fn message(part: &KeyField, reported: &Match) -> FieldMatch {
    let encode = |value: &[u8]| fields::encode(value, &part.field);
    let width_bits = part.field.width_bits;
    let match_type = match reported {
        Match::Exact(value) => Some(MatchType::Exact(Value { value: encode(value) })),
        Match::Lpm { value, prefix_length } => {
            let length = i64::from(sdn_width(part)) - i64::from(width_bits);
            let length = (length + i64::from(*prefix_length)).max(0);
            Some(MatchType::Lpm(Lpm { value: encode(value), prefix_len: length as i32 }))
        }
        Match::Ternary { value, .. } if part.kind == MatchKind::Optional => {
            Some(MatchType::Optional(Value { value: encode(value) }))
        }
        Match::Ternary { value, mask } => {
            let is_exact = *mask == all_ones(width_bits);
            let mask = if is_exact { all_ones(sdn_width(part)) } else { mask.clone() };
            Some(MatchType::Ternary(Ternary { value: encode(value), mask }))
        }
        Match::Range { low, high } => {
            Some(MatchType::Range(Range { low: encode(low), high: encode(high) }))
        }
        Match::Any => None,
    };
    FieldMatch { field_id: part.field.id, match_type }
}

fn sdn_width(part: &KeyField) -> u32 {
    match part.field.translation {
        Some(Translation::Numbers { width_bits }) => width_bits,
        _ => 0,
    }
}
