//! Parsers, value sets and deparsers.

use super::actions::Primitive;
use super::expression::TypedValue;
use serde_json::Value;

objects! {
    /// `parsers`
    Parser {
        name: String,
        init_state: Option<String>,
        parse_states: Vec<ParseState>,
    } ignoring id, source_info;

    /// A parser's state.
    ParseState {
        name: String,
        parser_ops: Vec<ParserOperation>,
        transition_key: Vec<TypedValue>,
        transitions: Vec<Transition>,
    } ignoring id, source_info;

    /// An operation of a parser state.
    ParserOperation {
        op: String,
        parameters: Vec<Value>,
    } ignoring source_info;

    /// A transition of a parser state.
    Transition {
        #[serde(rename = "type")] kind: String,
        value: Option<String>,
        mask: Option<String>,
        next_state: Option<String>,
    };

    /// `parse_vsets`: parser value sets.
    ParseValueSet {
        name: String,
        /// The sum of its fields' widths.
        compressed_bitwidth: u32,
        #[serde(default = "value_set_size")]
        max_size: u64,
    } ignoring id, source_info;

    /// `deparsers`
    Deparser {
        name: String,
        order: Vec<String>,
        #[serde(default)] primitives: Vec<Primitive>,
    } ignoring id, source_info;
}

/// How many members a value set holds if the program does not say.
pub(super) const VALUE_SET_SIZE: u64 = 1024;

fn value_set_size() -> u64 {
    VALUE_SET_SIZE
}
