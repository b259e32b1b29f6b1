//! BMv2's JSON format (behavioral-model, `docs/JSON_format.md`), as far as p4c's v1model back end
//! emits it. Unknown attributes are refused: they could change a program's meaning.

mod expression;
mod number;

pub(crate) use expression::{
    read, Accessor, BinaryOperation, Expression, FieldName, TypedValue, UnaryOperation,
};
pub(crate) use number::Number;

use serde::de::IgnoredAny;
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;
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

/// `header_types`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeaderType {
    pub(crate) name: String,
    #[serde(rename = "id")]
    _id: IgnoredAny,
    pub(crate) fields: Vec<Field>,
    /// Present in headers with a variable-length field.
    pub(crate) length_exp: Option<Value>,
    /// In bytes; present in headers with a variable-length field.
    pub(crate) max_length: Option<u64>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// A field: name, width in bits (`"*"` if variable), optionally whether it is signed.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Field {
    Unsigned(String, Value),
    Signed(String, Value, Value),
}

impl Field {
    pub(crate) fn name(&self) -> &str {
        match self {
            Field::Unsigned(name, _) | Field::Signed(name, _, _) => name,
        }
    }
}

/// `headers`: header and metadata instances.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    pub(crate) name: String,
    pub(crate) id: u64,
    pub(crate) header_type: String,
    pub(crate) metadata: bool,
    #[serde(rename = "pi_omit", default)]
    _pi_omit: IgnoredAny,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// `header_stacks`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeaderStack {
    pub(crate) name: String,
    #[serde(rename = "id")]
    _id: IgnoredAny,
    /// The type of its headers, which say it themselves.
    #[serde(rename = "header_type")]
    _header_type: IgnoredAny,
    /// The number of its headers.
    #[serde(rename = "size", default)]
    _size: IgnoredAny,
    pub(crate) header_ids: Vec<u64>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// `header_union_types`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeaderUnionType {
    pub(crate) name: String,
    #[serde(rename = "id")]
    _id: IgnoredAny,
    /// Names and types.
    pub(crate) headers: Vec<(String, String)>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// `header_unions`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeaderUnion {
    pub(crate) name: String,
    pub(crate) id: u64,
    pub(crate) union_type: String,
    pub(crate) header_ids: Vec<u64>,
    #[serde(rename = "pi_omit", default)]
    _pi_omit: IgnoredAny,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// `header_union_stacks`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeaderUnionStack {
    pub(crate) name: String,
    #[serde(rename = "id")]
    _id: IgnoredAny,
    /// The type of its unions, which say it themselves.
    #[serde(rename = "union_type")]
    _union_type: IgnoredAny,
    /// The number of its unions.
    #[serde(rename = "size", default)]
    _size: IgnoredAny,
    pub(crate) header_union_ids: Vec<u64>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
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

/// `pipelines`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pipeline {
    pub(crate) name: String,
    #[serde(rename = "id")]
    _id: IgnoredAny,
    pub(crate) init_table: Option<String>,
    pub(crate) tables: Vec<Table>,
    #[serde(default)]
    pub(crate) action_profiles: Vec<ActionProfile>,
    #[serde(default)]
    pub(crate) conditionals: Vec<Conditional>,
    #[serde(default)]
    pub(crate) action_calls: Vec<ActionCall>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// An action profile, or an action selector if it has a selector.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActionProfile {
    pub(crate) name: String,
    #[serde(rename = "id")]
    _id: IgnoredAny,
    pub(crate) max_size: u64,
    pub(crate) selector: Option<Selector>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// The hash that chooses a member of a group.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Selector {
    pub(crate) algo: String,
    pub(crate) input: Vec<TypedValue>,
}

/// A call of an action outside of tables.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActionCall {
    pub(crate) name: String,
    #[serde(rename = "id")]
    _id: IgnoredAny,
    pub(crate) action_id: u64,
    pub(crate) next_node: Option<String>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// A condition of a pipeline.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Conditional {
    pub(crate) name: String,
    #[serde(rename = "id")]
    _id: IgnoredAny,
    pub(crate) expression: Value,
    pub(crate) true_next: Option<String>,
    pub(crate) false_next: Option<String>,
    pub(crate) source_info: Option<SourceInfo>,
}

/// A table of a pipeline.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    pub(crate) name: String,
    #[serde(rename = "id")]
    _id: IgnoredAny,
    pub(crate) key: Vec<KeyField>,
    pub(crate) match_type: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// In tables of another type than `simple`.
    pub(crate) action_profile: Option<String>,
    pub(crate) max_size: u64,
    #[serde(default)]
    pub(crate) with_counters: bool,
    #[serde(default)]
    pub(crate) support_timeout: bool,
    pub(crate) direct_meters: Option<String>,
    pub(crate) action_ids: Vec<u64>,
    /// The names of `action_ids`.
    #[serde(rename = "actions", default)]
    _actions: IgnoredAny,
    pub(crate) base_default_next: Option<String>,
    pub(crate) next_tables: HashMap<String, Option<String>>,
    pub(crate) default_entry: Option<DefaultEntry>,
    pub(crate) entries: Option<Vec<Entry>>,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// A field of a table's key.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeyField {
    pub(crate) match_type: String,
    pub(crate) name: Option<String>,
    pub(crate) target: Value,
    pub(crate) mask: Option<String>,
}

/// What a table does when no entry matches.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DefaultEntry {
    pub(crate) action_id: u64,
    #[serde(default)]
    pub(crate) action_const: bool,
    #[serde(default)]
    pub(crate) action_data: Vec<String>,
    #[serde(default)]
    pub(crate) action_entry_const: bool,
}

/// A constant entry of a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    pub(crate) match_key: Vec<MatchKey>,
    pub(crate) action_entry: ActionEntry,
    #[serde(default)]
    pub(crate) priority: u32,
    #[serde(rename = "source_info", default)]
    _source_info: IgnoredAny,
}

/// A field of a constant entry's key.
#[derive(Debug, Deserialize)]
#[serde(tag = "match_type", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum MatchKey {
    Exact { key: String },
    Lpm { key: String, prefix_length: u32 },
    Ternary { key: String, mask: String },
    Range { start: String, end: String },
}

/// The action of a constant entry.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActionEntry {
    pub(crate) action_id: u64,
    pub(crate) action_data: Vec<String>,
}
