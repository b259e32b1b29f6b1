//! Headers, their stacks and unions.

use serde::Deserialize;
use serde_json::Value;

objects! {
    /// `header_types`
    HeaderType {
        name: String,
        fields: Vec<Field>,
        /// Present in headers with a variable-length field.
        length_exp: Option<Value>,
        /// In bytes; present in headers with a variable-length field.
        max_length: Option<u64>,
    } ignoring id, source_info;
}

/// A field: name, width in bits (`"*"` if variable), optionally whether it is signed.
#[derive(Debug, Deserialize)]
pub(crate) struct Field(pub(crate) String, pub(crate) Value, #[serde(default)] pub(crate) Value);

impl Field {
    /// In bits; 0 if variable.
    pub(crate) fn width_bits(&self) -> u32 {
        self.1.as_u64().and_then(|bits| bits.try_into().ok()).unwrap_or(0)
    }
}

objects! {
    /// `headers`: header and metadata instances.
    Header {
        name: String,
        id: u64,
        header_type: String,
        metadata: bool,
    } ignoring pi_omit, source_info;

    /// `header_stacks`
    HeaderStack {
        name: String,
        header_ids: Vec<u64>,
    } ignoring id, header_type, size, source_info;

    /// `header_union_types`
    HeaderUnionType {
        name: String,
        /// Names and types.
        headers: Vec<(String, String)>,
    } ignoring id, source_info;

    /// `header_unions`
    HeaderUnion {
        name: String,
        id: u64,
        union_type: String,
        header_ids: Vec<u64>,
    } ignoring pi_omit, source_info;

    /// `header_union_stacks`
    HeaderUnionStack {
        name: String,
        header_union_ids: Vec<u64>,
    } ignoring id, union_type, size, source_info;
}
