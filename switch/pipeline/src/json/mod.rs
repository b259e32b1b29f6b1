//! BMv2's JSON format (behavioral-model, `docs/JSON_format.md`), as far as p4c's v1model back end
//! emits it. Unknown attributes are refused: they could change a program's meaning.

mod actions;
mod expression;
mod headers;
mod number;
mod objects;
mod parsers;
mod pipelines;

pub(crate) use actions::{Action, Primitive, RuntimeDatum};
pub(crate) use expression::{
    read, Accessor, BinaryOperation, Expression, FieldName, TypedValue, UnaryOperation,
};
pub(crate) use headers::{
    Field, Header, HeaderStack, HeaderType, HeaderUnion, HeaderUnionStack, HeaderUnionType,
};
pub(crate) use number::Number;
pub(crate) use objects::{
    Calculation, Checksum, CounterArray, FieldList, LearnList, MeterArray, RegisterArray,
};
pub(crate) use parsers::{
    Deparser, ParseState, ParseValueSet, Parser, ParserOperation, Transition,
};
pub(crate) use pipelines::{
    ActionCall, ActionProfile, Conditional, Entry, KeyField, MatchKey, Pipeline, Selector, Table,
};

use serde::de::IgnoredAny;
use serde::Deserialize;

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

/// An object of a kind that is refused by its name.
#[derive(Debug, Deserialize)]
pub(crate) struct Named {
    pub(crate) name: String,
}
