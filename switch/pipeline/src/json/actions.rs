//! Actions: parameters and primitive calls.

use super::expression::TypedValue;
use serde::Deserialize;
use std::fmt;

objects! {
    /// `actions`
    Action {
        name: String,
        id: u64,
        runtime_data: Vec<RuntimeDatum>,
        primitives: Vec<Primitive>,
    } ignoring source_info;

    /// A parameter of an action.
    RuntimeDatum {
        name: String,
        bitwidth: u64,
    };

    /// A primitive call.
    Primitive {
        op: String,
        #[serde(default)] parameters: Vec<TypedValue>,
        source_info: Option<SourceInfo>,
    };
}

/// The statement that p4c made something of.
#[derive(Debug, Deserialize)]
pub(crate) struct SourceInfo {
    pub(crate) filename: String,
    pub(crate) line: u64,
    #[serde(rename = "source_fragment", default)]
    pub(crate) text: String,
}

impl fmt::Display for SourceInfo {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.filename, self.line)?;
        match without_comments(&self.text).trim() {
            "" => Ok(()),
            text => write!(formatter, " {text}"),
        }
    }
}

/// The source without comments. For a constant, p4c gives the rest of its line, cut after some
/// words.
fn without_comments(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some(start) = rest.find(['"', '/']) {
        let (before, from) = rest.split_at(start);
        kept += before;
        let length = match from.as_bytes() {
            [b'"', ..] => string_length(from),
            [b'/', b'/', ..] => return end_of_statement(&kept).to_owned(),
            [b'/', b'*', ..] => {
                let Some(end) = from[2..].find("*/") else {
                    return end_of_statement(&kept).to_owned();
                };
                rest = &from[2 + end + 2..];
                continue;
            }
            _ => 1,
        };
        kept += &from[..length];
        rest = &from[length..];
    }
    kept + rest
}

/// The length of the string literal that the text begins with.
fn string_length(text: &str) -> usize {
    let mut is_escaped = true; // the opening quote
    for (place, each) in text.char_indices() {
        match each {
            '"' if !is_escaped => return place + 1,
            '\\' if !is_escaped => is_escaped = true,
            _ => is_escaped = false,
        }
    }
    text.len()
}

fn end_of_statement(text: &str) -> &str {
    text.trim_end().trim_end_matches(';')
}

#[cfg(test)]
#[path = "tests/actions.rs"]
mod tests;
