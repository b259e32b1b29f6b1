//! Registers, counters, meters, calculations, checksums and lists of fields.

use super::expression::{FieldName, TypedValue};
use serde_json::Value;

objects! {
    /// `register_arrays`
    RegisterArray {
        name: String,
        size: u64,
        bitwidth: u64,
    } ignoring id, source_info;

    /// `counter_arrays`
    CounterArray {
        name: String,
        is_direct: bool,
        /// Absent in direct counters.
        size: Option<u64>,
        /// The table of a direct counter.
        #[serde(default)] binding: Option<String>,
    } ignoring id, source_info;

    /// `meter_arrays`
    MeterArray {
        name: String,
        #[serde(default)] is_direct: bool,
        rate_count: u64,
        /// `packets` or `bytes`.
        #[serde(rename = "type")] unit: String,
        size: u64,
        /// Where a direct meter's color goes.
        result_target: Option<FieldName>,
    } ignoring id, binding, source_info;

    /// `field_lists`: the metadata that copies of a packet keep.
    FieldList {
        name: String,
        id: u64,
        elements: Vec<TypedValue>,
    } ignoring source_info;

    /// `learn_lists`: the fields of digests.
    LearnList {
        id: u32,
        name: String,
        elements: Vec<TypedValue>,
    } ignoring source_info;

    /// `calculations`
    Calculation {
        name: String,
        algo: String,
        input: Vec<TypedValue>,
    } ignoring id, source_info;

    /// `checksums`
    Checksum {
        name: String,
        target: FieldName,
        #[serde(rename = "type")] kind: String,
        calculation: String,
        #[serde(default = "default_true")] update: bool,
        #[serde(default = "default_true")] verify: bool,
        if_cond: Option<Value>,
    } ignoring id, source_info;
}

fn default_true() -> bool {
    true
}
