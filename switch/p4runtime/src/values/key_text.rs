//! Keys as errors tell them.

use crate::messages::runtime::{FieldMatch, MatchType};
use crate::program::{Field, KeyField, Keyed, Translation};

/// The fields of a valid key that care, and the priority if there is one, for example
/// `hdr.ip.src = 0x0a000000/8, meta.port = 0x0001..0x00ff, priority 10`.
pub(crate) fn text(owner: &dyn Keyed, given: &[FieldMatch], priority: i32) -> String {
    let field = |part: &KeyField| {
        let one = given.iter().find(|one| one.field_id == part.field.id)?;
        let value = value(&part.field, one.match_type.as_ref()?);
        Some(format!("{} = {value}", part.field.name))
    };
    let mut told: Vec<String> = owner.key().iter().filter_map(field).collect();
    if told.is_empty() {
        told.push("that matches everything".to_owned());
    }
    if priority != 0 {
        told.push(format!("priority {priority}"));
    }
    told.join(", ")
}

fn value(field: &Field, given: &MatchType) -> String {
    match given {
        MatchType::Exact(given) | MatchType::Optional(given) => number(field, &given.value),
        MatchType::Lpm(given) => format!("{}/{}", number(field, &given.value), given.prefix_len),
        MatchType::Ternary(given) => {
            format!("{} &&& {}", number(field, &given.value), number(field, &given.mask))
        }
        MatchType::Range(given) => {
            format!("{}..{}", number(field, &given.low), number(field, &given.high))
        }
        MatchType::Other(_) => "something else".to_owned(),
    }
}

/// All digits of the field's width, so that addresses are told as people know them.
fn number(field: &Field, value: &[u8]) -> String {
    let width_bits = match field.translation {
        Some(Translation::Strings(_)) => return format!("{:?}", String::from_utf8_lossy(value)),
        Some(Translation::Numbers { width_bits }) => width_bits,
        Some(Translation::Unknown(_)) | None => field.width_bits,
    };
    let digits: String = value.iter().map(|byte| format!("{byte:02x}")).collect();
    let digits = digits.trim_start_matches('0');
    format!("0x{digits:0>width$}", width = width_bits.div_ceil(4) as usize)
}
