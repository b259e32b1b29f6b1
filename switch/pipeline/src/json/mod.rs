//! BMv2's JSON format (behavioral-model, `docs/JSON_format.md`), as far as p4c's v1model back end
//! emits it. Unknown attributes are refused: they could change a program's meaning.

mod actions;
mod attributes;
mod expression;
mod headers;
mod number;
mod objects;
mod older;
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

use crate::error::LoadError;
use serde::de::IgnoredAny;
use serde::Deserialize;
use serde_json::Value;

/// The first version that says all that is said today.
const SAME_SINCE: (u32, u32) = (2, 19);
/// The most bytes of JSON that are read.
const MAX_BYTES: usize = 64 << 20;

/// Reads a program, in today's form or an older one.
pub(crate) fn read_program(bytes: &[u8]) -> Result<Program, LoadError> {
    check_length(bytes)?;
    let error = match serde_json::from_slice::<Program>(bytes) {
        Ok(program) if program.meta.version >= SAME_SINCE => return Ok(program),
        Ok(_) => None,
        Err(error) => Some(error),
    };
    let given: Value = serde_json::from_slice(bytes).map_err(malformed)?;
    match (older::upgraded(given.clone()), error) {
        // This error says where.
        (upgraded, Some(error)) if upgraded == given => Err(malformed(error)),
        (upgraded, _) => Program::deserialize(upgraded).map_err(malformed),
    }
}

/// A program in today's form: who reads that reads programs of all versions.
pub fn current_form(bytes: &[u8]) -> Result<String, LoadError> {
    check_length(bytes)?;
    let given = serde_json::from_slice(bytes).map_err(malformed)?;
    let upgraded = older::upgraded(given);
    Program::deserialize(&upgraded).map_err(malformed)?;
    Ok(upgraded.to_string())
}

fn check_length(bytes: &[u8]) -> Result<(), LoadError> {
    match bytes.len() {
        0..=MAX_BYTES => Ok(()),
        _ => Err(LoadError::Format(format!("longer than {MAX_BYTES} bytes"))),
    }
}

fn malformed(error: serde_json::Error) -> LoadError {
    LoadError::Format(error.to_string())
}

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
