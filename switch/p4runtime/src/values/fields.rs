//! Values of fields in messages, as numbers of the data plane (P4Runtime 1.5, 8.3 and 18.1).

use std::borrow::Cow;
use std::fmt::Display;

use crate::numbers;
use crate::program::{Field, Translation};
use crate::status::{Error, Result};

/// The number of a value, as its shortest bytes. Refuses, naming `what`, an empty or too large value,
/// a string for which no number is left, one that is no port, and a type of unknown width.
pub(crate) fn decode<'v>(
    value: &'v [u8],
    part: &Field,
    what: &dyn Display,
) -> Result<Cow<'v, [u8]>> {
    match &part.translation {
        Some(Translation::Strings(strings)) => Ok(Cow::Owned(strings.number(value, what)?)),
        Some(Translation::Numbers { width_bits }) => {
            numbers::decode(value, part.width_bits.min(*width_bits), what).map(Cow::Borrowed)
        }
        Some(Translation::Unknown(name)) => Err(without_width(what, name)),
        None => numbers::decode(value, part.width_bits, what).map(Cow::Borrowed),
    }
}

/// Why something of a type has no numbers.
pub(crate) fn without_width(what: &dyn Display, name: &str) -> Error {
    invalid!(
        "{what}: p4_device_config does not tell the width of {name}, as the compiler has left out all \
         of this type"
    )
}

/// The value of a number.
pub(crate) fn encode(number: &[u8], part: &Field) -> Vec<u8> {
    match &part.translation {
        Some(Translation::Strings(strings)) => strings.string(number),
        _ => numbers::canonical(number).to_vec(),
    }
}
