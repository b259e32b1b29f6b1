//! BMv2's JSON format (behavioral-model, `docs/JSON_format.md`), as far as p4c's v1model back end
//! emits it. Unknown attributes are refused: they could change a program's meaning.

mod expression;
mod headers;
mod number;
mod pipelines;

pub(crate) use expression::{
    read, Accessor, BinaryOperation, Expression, FieldName, TypedValue, UnaryOperation,
};
pub(crate) use headers::{
    Field, Header, HeaderStack, HeaderType, HeaderUnion, HeaderUnionStack, HeaderUnionType,
};
pub(crate) use number::Number;
pub(crate) use pipelines::{
    ActionCall, ActionProfile, Conditional, Entry, KeyField, MatchKey, Pipeline, Selector, Table,
};

use serde::de::IgnoredAny;
use serde::Deserialize;
use serde_json::Value;
use std::fmt;

/// The root dictionary.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Program {
    #[serde(rename = "__meta__")]
    pub(crate) meta: Meta,
    #[serde(rename = "program", default)]
    _program: IgnoredAny,
    #[serde(rename = "enums", default)]
    _enums: IgnoredAny,
    /// Tells BMv2 which fields need arithmetic; all of ours have it.
    #[serde(rename = "force_arith", default)]
    _force_arith: IgnoredAny,
    #[serde(default)]
    pub(crate) field_lists: Vec<FieldList>,
    pub(crate) header_types: Vec<HeaderType>,
    pub(crate) headers: Vec<Header>,
    #[serde(default)]
    pub(crate) header_stacks: Vec<HeaderStack>,
    #[serde(default)]
    pub(crate) header_union_types: Vec<HeaderUnionType>,
    #[serde(default)]
    pub(crate) header_unions: Vec<HeaderUnion>,
    #[serde(default)]
    pub(crate) header_union_stacks: Vec<HeaderUnionStack>,
    #[serde(default)]
    pub(crate) errors: Vec<(String, u32)>,
    pub(crate) parsers: Vec<Parser>,
    #[serde(default)]
    pub(crate) parse_vsets: Vec<ParseValueSet>,
    pub(crate) deparsers: Vec<Deparser>,
    #[serde(default)]
    pub(crate) meter_arrays: Vec<MeterArray>,
    #[serde(default)]
    pub(crate) counter_arrays: Vec<CounterArray>,
    #[serde(default)]
    pub(crate) register_arrays: Vec<RegisterArray>,
    #[serde(default)]
    pub(crate) calculations: Vec<Calculation>,
    #[serde(default)]
    pub(crate) learn_lists: Vec<LearnList>,
    #[serde(default)]
    pub(crate) extern_instances: Vec<Named>,
    pub(crate) actions: Vec<Action>,
    pub(crate) pipelines: Vec<Pipeline>,
    #[serde(default)]
    pub(crate) checksums: Vec<Checksum>,
    #[serde(default)]
    pub(crate) field_aliases: Vec<(String, (String, String))>,
}

/// `__meta__`
#[derive(Debug, Deserialize)]
pub(crate) struct Meta {
    /// Major and minor version of the format.
    pub(crate) version: (u32, u32),
}

/// `field_lists`: the metadata that copies of a packet keep.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FieldList {
    pub(crate) name: String,
    pub(crate) id: u64,
    pub(crate) elements: Vec<TypedValue>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// An object of a kind that is refused by its name.
#[derive(Debug, Deserialize)]
pub(crate) struct Named {
    pub(crate) name: String,
}

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

/// `counter_arrays`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CounterArray {
    pub(crate) name: String,
    #[serde(rename = "id")]
    _id: IgnoredAny,
    pub(crate) is_direct: bool,
    /// Absent in direct counters.
    pub(crate) size: Option<u64>,
    /// The table of a direct counter.
    #[serde(rename = "binding", default)]
    pub(crate) binding: Option<String>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// `meter_arrays`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MeterArray {
    pub(crate) name: String,
    #[serde(rename = "id")]
    _id: IgnoredAny,
    #[serde(default)]
    pub(crate) is_direct: bool,
    pub(crate) rate_count: u64,
    /// `packets` or `bytes`.
    #[serde(rename = "type")]
    pub(crate) unit: String,
    pub(crate) size: u64,
    /// The table of a direct meter names it as well.
    #[serde(rename = "binding", default)]
    _binding: IgnoredAny,
    /// Where a direct meter's color goes.
    pub(crate) result_target: Option<FieldName>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// `learn_lists`: the fields of digests.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LearnList {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) elements: Vec<TypedValue>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
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

/// `register_arrays`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RegisterArray {
    pub(crate) name: String,
    #[serde(rename = "id")]
    _id: IgnoredAny,
    pub(crate) size: u64,
    pub(crate) bitwidth: u64,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// `calculations`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Calculation {
    pub(crate) name: String,
    #[serde(rename = "id")]
    _id: IgnoredAny,
    pub(crate) algo: String,
    pub(crate) input: Vec<TypedValue>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// `checksums`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Checksum {
    pub(crate) name: String,
    #[serde(rename = "id")]
    _id: IgnoredAny,
    pub(crate) target: FieldName,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) calculation: String,
    #[serde(default = "default_true")]
    pub(crate) update: bool,
    #[serde(default = "default_true")]
    pub(crate) verify: bool,
    pub(crate) if_cond: Option<Value>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

fn default_true() -> bool {
    true
}

/// `actions`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Action {
    pub(crate) name: String,
    pub(crate) id: u64,
    pub(crate) runtime_data: Vec<RuntimeDatum>,
    pub(crate) primitives: Vec<Primitive>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// A parameter of an action.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuntimeDatum {
    pub(crate) name: String,
    pub(crate) bitwidth: u64,
}

/// A primitive call.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Primitive {
    pub(crate) op: String,
    #[serde(default)]
    pub(crate) parameters: Vec<TypedValue>,
    pub(crate) source_info: Option<SourceInfo>,
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
        match self.text.trim() {
            "" => Ok(()),
            text => write!(formatter, " {text}"),
        }
    }
}
