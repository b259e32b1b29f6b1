//! Parsers, value sets and deparsers.

use super::actions::Primitive;
use super::expression::TypedValue;
use serde::de::IgnoredAny;
use serde::Deserialize;
use serde_json::Value;

/// `parsers`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Parser {
    pub(crate) name: String,
    #[serde(rename = "id")]
    _id: IgnoredAny,
    pub(crate) init_state: Option<String>,
    pub(crate) parse_states: Vec<ParseState>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// A parser's state.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ParseState {
    pub(crate) name: String,
    #[serde(rename = "id")]
    _id: IgnoredAny,
    pub(crate) parser_ops: Vec<ParserOperation>,
    pub(crate) transition_key: Vec<TypedValue>,
    pub(crate) transitions: Vec<Transition>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// An operation of a parser state.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ParserOperation {
    pub(crate) op: String,
    pub(crate) parameters: Vec<Value>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// A transition of a parser state.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Transition {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) value: Option<String>,
    pub(crate) mask: Option<String>,
    pub(crate) next_state: Option<String>,
}

/// `parse_vsets`: parser value sets.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ParseValueSet {
    pub(crate) name: String,
    #[serde(rename = "id")]
    _id: IgnoredAny,
    /// The sum of its fields' widths.
    pub(crate) compressed_bitwidth: u32,
    pub(crate) max_size: Option<u64>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// `deparsers`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Deparser {
    pub(crate) name: String,
    #[serde(rename = "id")]
    _id: IgnoredAny,
    pub(crate) order: Vec<String>,
    #[serde(default)]
    pub(crate) primitives: Vec<Primitive>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}
