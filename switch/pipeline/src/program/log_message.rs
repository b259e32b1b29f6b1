//! What programs log (`log_msg`).

use super::place::Operand;
use crate::numbers::bits;
use std::fmt::{self, Display, Formatter};

/// A line of a program's log.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LogMessage {
    parts: Vec<Part>,
}

#[derive(Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// Shown as a decimal number.
    Value(Operand),
}

impl LogMessage {
    /// Interprets a format: `{}` stands for the next value, `\{` and `\}` for the braces. If
    /// there are not enough values, the rest stays as it is.
    pub(crate) fn new(format: &str, values: &[Operand]) -> LogMessage {
        let mut values = values.iter();
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut rest = format;
        while let Some(position) = rest.find(['{', '\\']) {
            text.push_str(&rest[..position]);
            rest = &rest[position..];
            let escaped = rest.strip_prefix('\\').filter(|next| next.starts_with(['{', '}']));
            let end = rest.find('}').filter(|_| rest.starts_with('{'));
            let taken = if escaped.is_some() {
                text.push_str(&rest[1..2]);
                2
            } else if let Some((end, &value)) = end.and_then(|end| Some((end, values.next()?))) {
                parts.push(Part::Text(std::mem::take(&mut text)));
                parts.push(Part::Value(value));
                end + 1
            } else {
                text.push_str(&rest[..1]);
                1
            };
            rest = &rest[taken..];
        }
        text.push_str(rest);
        parts.push(Part::Text(text));
        LogMessage { parts }
    }

    /// The line that it makes of the present values.
    pub(crate) fn line<'a>(&'a self, slots: &'a [u64]) -> impl Display + 'a {
        Line { message: self, slots }
    }

    /// A line without values.
    pub(crate) fn plain(text: String) -> LogMessage {
        LogMessage { parts: vec![Part::Text(text)] }
    }
}

/// A line with the values of the moment.
struct Line<'a> {
    message: &'a LogMessage,
    slots: &'a [u64],
}

impl Display for Line<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.message.parts.iter().try_for_each(|part| match part {
            Part::Text(text) => formatter.write_str(text),
            Part::Value(value) => {
                let limbs = &self.slots[value.slots()];
                match value.kind.is_signed() {
                    true => Display::fmt(&bits::to_bigint(limbs), formatter),
                    false => Display::fmt(&bits::to_biguint(limbs), formatter),
                }
            }
        })
    }
}

#[cfg(test)]
#[path = "tests/log_message.rs"]
mod tests;
