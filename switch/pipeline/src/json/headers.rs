//! Headers, their stacks and unions.

use serde::de::IgnoredAny;
use serde::Deserialize;
use serde_json::Value;

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

    /// In bits; 0 if variable.
    pub(crate) fn width_bits(&self) -> u32 {
        match self {
            Field::Unsigned(_, width) | Field::Signed(_, width, _) => {
                width.as_u64().and_then(|bits| bits.try_into().ok()).unwrap_or(0)
            }
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
