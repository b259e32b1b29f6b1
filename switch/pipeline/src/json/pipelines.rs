//! Pipelines: tables, action profiles and conditions.

use super::actions::SourceInfo;
use super::expression::TypedValue;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

objects! {
    /// `pipelines`
    Pipeline {
        name: String,
        init_table: Option<String>,
        tables: Vec<Table>,
        #[serde(default)] action_profiles: Vec<ActionProfile>,
        #[serde(default)] conditionals: Vec<Conditional>,
        #[serde(default)] action_calls: Vec<ActionCall>,
    } ignoring id, source_info;

    /// An action profile, or an action selector if it has a selector.
    ActionProfile {
        name: String,
        max_size: u64,
        selector: Option<Selector>,
    } ignoring id, source_info;

    /// The hash that chooses a member of a group.
    Selector {
        algo: String,
        input: Vec<TypedValue>,
    };

    /// A call of an action outside of tables.
    ActionCall {
        name: String,
        action_id: u64,
        next_node: Option<String>,
    } ignoring id, source_info;

    /// A condition of a pipeline.
    Conditional {
        name: String,
        expression: Value,
        true_next: Option<String>,
        false_next: Option<String>,
        source_info: Option<SourceInfo>,
    } ignoring id;

    /// A table of a pipeline.
    Table {
        name: String,
        key: Vec<KeyField>,
        match_type: String,
        #[serde(rename = "type")] kind: String,
        /// In tables of another type than `simple`.
        action_profile: Option<String>,
        max_size: u64,
        #[serde(default)] with_counters: bool,
        #[serde(default)] support_timeout: bool,
        direct_meters: Option<String>,
        action_ids: Vec<u64>,
        base_default_next: Option<String>,
        next_tables: BTreeMap<String, Option<String>>,
        default_entry: Option<DefaultEntry>,
        entries: Option<Vec<Entry>>,
    } ignoring id, actions, source_info;

    /// A field of a table's key.
    KeyField {
        match_type: String,
        name: Option<String>,
        target: Value,
        mask: Option<String>,
    };

    /// What a table does when no entry matches.
    DefaultEntry {
        action_id: u64,
        #[serde(default)] action_const: bool,
        #[serde(default)] action_data: Vec<String>,
        #[serde(default)] action_entry_const: bool,
    };

    /// A constant entry of a table.
    Entry {
        match_key: Vec<MatchKey>,
        action_entry: ActionEntry,
        #[serde(default)] priority: u32,
    } ignoring source_info;

    /// The action of a constant entry.
    ActionEntry {
        action_id: u64,
        action_data: Vec<String>,
    };
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
