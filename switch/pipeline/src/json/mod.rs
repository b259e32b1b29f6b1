//! BMv2's JSON format (behavioral-model, `docs/JSON_format.md`), as far as p4c's v1model back end
//! emits it. Unknown attributes are refused: they could change a program's meaning.

/// Objects of the format, of which attributes that change nothing here are ignored.
macro_rules! objects {
    ($($(#[$doc:meta])* $name:ident {
        $($(#[$of_field:meta])* $field:ident: $type:ty,)*
    } $(ignoring $($ignored:ident),+)?;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name {
            $($(#[$of_field])* pub(crate) $field: $type,)*
            $($(#[serde(default)] #[allow(dead_code)] $ignored: serde::de::IgnoredAny,)+)?
        }
    )*};
}

mod actions;
mod attributes;
mod expression;
mod headers;
mod nesting;
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
pub(crate) use nesting::with_deep_stack;
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
use nesting::MAX_LEVELS;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::Deserialize;
use serde_json::{Deserializer, Value};

/// The first version that says all that is said today.
const SAME_SINCE: (u32, u32) = (2, 19);
/// The most bytes of JSON that are read.
const MAX_BYTES: usize = 64 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a program, in today's form or an older one. Recursive: call it within [`with_deep_stack`].
pub(crate) fn read_program(bytes: &[u8]) -> Result<Program, LoadError> {
    let bytes = check(bytes)?;
    let error = match parsed::<Program>(bytes) {
        Ok(program) if program.meta.version >= SAME_SINCE => return Ok(program),
        Ok(_) => None,
        Err(error) if !may_be_older(bytes) => return Err(malformed(error)),
        Err(error) => Some(error),
    };
    let given: Value = parsed(bytes).map_err(malformed)?;
    match (older::upgraded(given.clone()), error) {
        // This error says where.
        (upgraded, Some(error)) if upgraded == given => Err(malformed(error)),
        (upgraded, _) => Program::deserialize(upgraded).map_err(malformed),
    }
}

/// Whether what cannot be read may be a program in an older form. Only then it is worth the memory of all
/// its values.
fn may_be_older(bytes: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Root {
        #[serde(rename = "header_types")]
        _in_all_forms: IgnoredAny,
    }
    parsed::<Root>(bytes).is_ok()
}

/// A program in today's form: who reads that reads programs of all versions.
pub fn current_form(bytes: &[u8]) -> Result<String, LoadError> {
    let bytes = check(bytes)?;
    with_deep_stack(|| {
        let given = parsed(bytes).map_err(malformed)?;
        let upgraded = older::upgraded(given);
        Program::deserialize(&upgraded).map_err(malformed)?;
        Ok(upgraded.to_string())
    })
}

/// Refuses what is too long or nested too deep before it is parsed, as `parsed` has no limit; and what
/// is no object, since that would be read as a list of an object's values. Returns it without the mark of
/// its encoding that some editors begin a file with.
fn check(bytes: &[u8]) -> Result<&[u8], LoadError> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    if bytes.len() > MAX_BYTES {
        return Err(LoadError::Format(format!("longer than {MAX_BYTES} bytes")));
    }
    if nesting::levels(bytes) > MAX_LEVELS {
        return Err(LoadError::Format(format!("nested deeper than {MAX_LEVELS} levels")));
    }
    match bytes.trim_ascii_start().first() {
        Some(b'{') => Ok(bytes),
        None => Err(LoadError::Format("it is empty".into())),
        Some(0xfe | 0xff) => Err(LoadError::Format("it is not text in UTF-8".into())),
        Some(_) => Err(LoadError::Format("it does not begin with {".into())),
    }
}

fn parsed<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, serde_json::Error> {
    let mut json = Deserializer::from_slice(bytes);
    json.disable_recursion_limit();
    let read = T::deserialize(&mut json)?;
    json.end().map(|()| read)
}

fn malformed(error: serde_json::Error) -> LoadError {
    LoadError::Format(error.to_string())
}

objects! {
    /// The root dictionary.
    Program {
        #[serde(rename = "__meta__")] meta: Meta,
        #[serde(default)] field_lists: Vec<FieldList>,
        header_types: Vec<HeaderType>,
        headers: Vec<Header>,
        #[serde(default)] header_stacks: Vec<HeaderStack>,
        #[serde(default)] header_union_types: Vec<HeaderUnionType>,
        #[serde(default)] header_unions: Vec<HeaderUnion>,
        #[serde(default)] header_union_stacks: Vec<HeaderUnionStack>,
        #[serde(default)] errors: Vec<(String, u32)>,
        parsers: Vec<Parser>,
        #[serde(default)] parse_vsets: Vec<ParseValueSet>,
        deparsers: Vec<Deparser>,
        #[serde(default)] meter_arrays: Vec<MeterArray>,
        #[serde(default)] counter_arrays: Vec<CounterArray>,
        #[serde(default)] register_arrays: Vec<RegisterArray>,
        #[serde(default)] calculations: Vec<Calculation>,
        #[serde(default)] learn_lists: Vec<LearnList>,
        #[serde(default)] extern_instances: Vec<Named>,
        actions: Vec<Action>,
        pipelines: Vec<Pipeline>,
        #[serde(default)] checksums: Vec<Checksum>,
        #[serde(default)] field_aliases: Vec<(String, (String, String))>,
    } ignoring program, enums, force_arith;
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

#[cfg(test)]
#[path = "tests/forms.rs"]
mod tests;
