//! Actions: parameters and primitive calls.

use super::expression::TypedValue;
use serde::Deserialize;
use std::fmt;

objects! {
    /// `actions`
    Action {
        name: String,
        id: u64,
        runtime_data: Vec<RuntimeDatum>,
        primitives: Vec<Primitive>,
    } ignoring source_info;

    /// A parameter of an action.
    RuntimeDatum {
        name: String,
        bitwidth: u64,
    };

    /// A primitive call.
    Primitive {
        op: String,
        #[serde(default)] parameters: Vec<TypedValue>,
        source_info: Option<SourceInfo>,
    };
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
