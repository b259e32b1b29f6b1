//! Port numbers in messages: those of the switch (P4Runtime 1.5, sections 9.2.2 and 9.5).
//!
//! A program whose ports have a type of strings has them called so here, too (section 18.1).

use std::fmt::Display;

use engine::PORT_LIMIT;

use crate::numbers;
use crate::program::SdnStrings;
use crate::status::{Error, Result};
use crate::text::hex;

/// The port of a field. `names`: of the program's ports, if any. The error begins with `what` if no
/// port can be called so.
pub(crate) fn decode(value: &[u8], what: &dyn Display, names: Option<&SdnStrings>) -> Result<u16> {
    let number = match names {
        Some(names) => names.number(value, &format_args!("{what} port"))?,
        None => numbers::canonical(value).to_vec(),
    };
    match number.len() {
        0..=4 => check(number.iter().fold(0, |high, &low| high << 8 | i64::from(low)), what),
        _ => Err(no_port(&hex(&number), what)),
    }
}

/// The port of an older field, a plain number.
pub(crate) fn check(number: i64, what: &dyn Display) -> Result<u16> {
    match u16::try_from(number) {
        Ok(port) if port < PORT_LIMIT => Ok(port),
        _ => Err(no_port(&number.to_string(), what)),
    }
}

fn no_port(number: &str, what: &dyn Display) -> Error {
    invalid!("{what} port {number}; valid: 0 to {}", PORT_LIMIT - 1)
}

/// The field of a port.
pub(crate) fn encode(port: u16, names: Option<&SdnStrings>) -> Vec<u8> {
    let number = port.to_be_bytes();
    match names {
        Some(names) => names.string(&number),
        None => numbers::canonical(&number).to_vec(),
    }
}
