//! Pipelines: tables, action profiles and conditions.

use super::actions::SourceInfo;
use super::expression::TypedValue;
use serde::de::IgnoredAny;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

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
    pub(crate) next_tables: BTreeMap<String, Option<String>>,
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
