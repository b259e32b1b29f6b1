//! Registers, counters, meters, calculations, checksums and lists of fields.

use super::expression::{FieldName, TypedValue};
use serde::de::IgnoredAny;
use serde::Deserialize;
use serde_json::Value;

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
