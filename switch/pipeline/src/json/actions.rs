//! Actions: parameters and primitive calls.

use super::expression::TypedValue;
use serde::de::IgnoredAny;
use serde::Deserialize;
use std::fmt;

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
