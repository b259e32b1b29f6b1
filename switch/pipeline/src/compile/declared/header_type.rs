//! The fields of header types (`header_types` of the JSON format).

use crate::compile::limits::{MAX_BITS, MAX_HEADER_BYTES, MAX_SLOTS};
use crate::error::{Problem, Result};
use crate::json;
use crate::program::Type;

/// A field of a header type.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// The longest value, if the length is variable.
    pub(crate) kind: Type,
    pub(crate) variable: bool,
}

/// The fields of a header type.
pub(crate) fn field_types(header_type: &json::HeaderType) -> Result<Vec<Field>> {
    if header_type.length_exp.is_some() {
        return Err(Problem::unsupported("length_exp (P4_14)", &["extract with a length"]));
    }
    let mut fields = Vec::with_capacity(header_type.fields.len());
    for json::Field(name, width, signed) in &header_type.fields {
        let signed = is_true(signed);
        let (kind, variable) = match width.as_u64() {
            Some(bits @ 1..) if bits <= u64::from(MAX_BITS) && signed => {
                (Type::Signed(bits as u32), false)
            }
            Some(bits) if bits <= u64::from(MAX_BITS) => (Type::Unsigned(bits as u32), false),
            None if width == "*" => (Type::Unsigned(0), true),
            _ => return Err(width_problem(name, width)),
        };
        fields.push(Field { name: name.clone(), kind, variable });
    }
    let fixed: u64 = fields.iter().map(|field| u64::from(field.kind.bits())).sum();
    if fixed / 64 >= MAX_SLOTS as u64 {
        return Err(Problem::unsupported("so long a header", &["up to 2048 bytes"]));
    }
    let mut variable = fields.iter_mut().filter(|field| field.variable);
    if let Some(field) = variable.next() {
        field.kind = Type::Unsigned(variable_bits(header_type.max_length, fixed)?);
    }
    match variable.next() {
        None => Ok(fields),
        Some(_) => Err(Problem::unsupported("a second varbit", &["one per header"])),
    }
}

/// The most bits of the field of variable length in a header of at most `max_bytes` bytes.
fn variable_bits(max_bytes: Option<u64>, fixed_bits: u64) -> Result<u32> {
    let max_bytes = max_bytes.ok_or_else(|| Problem::invalid("has a varbit and no max_length"))?;
    max_bytes
        .checked_mul(8)
        .and_then(|bits| bits.checked_sub(fixed_bits))
        .filter(|bits| (1..=u64::from(MAX_HEADER_BYTES) * 8).contains(bits))
        .map(|bits| bits as u32)
        .ok_or_else(|| {
            Problem::unsupported(
                format!("a header of at most {max_bytes} bytes, {fixed_bits} bits of them fixed"),
                &["varbits up to 2048 bytes"],
            )
        })
}

/// p4c writes `false` or 0 for unsigned fields.
fn is_true(flag: &serde_json::Value) -> bool {
    flag.as_bool().unwrap_or(flag.as_u64() == Some(1))
}

fn width_problem(name: &str, width: &serde_json::Value) -> Problem {
    Problem::unsupported(format!("width {width} of field '{name}'"), &["up to 2048 bits"])
}
