//! Messages of the service beside P4Runtime: `google.protobuf.Struct`, whose whole numbers are strings
//! of decimal digits.

use std::collections::BTreeMap;

use p4runtime::{invalid, Error};

pub(crate) const GREATEST_ID: u128 = u64::MAX as u128;
pub(crate) const GREATEST_COUNT: u128 = i64::MAX as u128;

/// `google.protobuf.Struct`
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Struct {
    #[prost(btree_map = "string, message", tag = "1")]
    fields: BTreeMap<String, Value>,
}

/// `google.protobuf.Value`
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Value {
    #[prost(oneof = "Kind", tags = "1, 2, 3, 4, 5, 6")]
    kind: Option<Kind>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
enum Kind {
    #[prost(int32, tag = "1")]
    Null(i32),
    #[prost(double, tag = "2")]
    Number(f64),
    #[prost(string, tag = "3")]
    Text(String),
    #[prost(bool, tag = "4")]
    Flag(bool),
    #[prost(message, tag = "5")]
    Struct(Struct),
    #[prost(message, tag = "6")]
    List(List),
}

/// `google.protobuf.ListValue`
#[derive(Clone, PartialEq, prost::Message)]
struct List {
    #[prost(message, repeated, tag = "1")]
    values: Vec<Value>,
}

impl Struct {
    pub(crate) fn of<'a>(fields: impl IntoIterator<Item = (&'a str, Value)>) -> Struct {
        let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Struct { fields }
    }

    /// Whether it is there and true.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        matches!(self.kind(name), Some(Kind::Flag(true)))
    }

    /// A text; empty without one.
    pub(crate) fn text(&self, name: &str) -> &str {
        match self.kind(name) {
            Some(Kind::Text(text)) => text,
            _ => "",
        }
    }

    /// A whole number from 0; none without one.
    pub(crate) fn whole_if_any(&self, name: &str, greatest: u128) -> Result<Option<u128>, Error> {
        self.fields.contains_key(name).then(|| self.whole(name, greatest)).transpose()
    }

    /// A whole number from 0.
    pub(crate) fn whole(&self, name: &str, greatest: u128) -> Result<u128, Error> {
        let text = self.text(name);
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = if is_number { text.parse().ok() } else { None };
        number.filter(|&number| number <= greatest).ok_or_else(|| {
            invalid!("{name} is '{text}'; valid: decimal digits, for 0 to {greatest}")
        })
    }

    /// The structs of a list; none without one.
    pub(crate) fn structs(&self, name: &str) -> Vec<Struct> {
        let values = match self.kind(name) {
            Some(Kind::List(list)) => list.values.as_slice(),
            _ => &[],
        };
        let of = |value: &Value| match &value.kind {
            Some(Kind::Struct(fields)) => fields.clone(),
            _ => Struct::default(),
        };
        values.iter().map(of).collect()
    }

    fn kind(&self, name: &str) -> Option<&Kind> {
        self.fields.get(name)?.kind.as_ref()
    }
}

impl Value {
    pub(crate) fn text(text: String) -> Value {
        Value { kind: Some(Kind::Text(text)) }
    }

    pub(crate) fn flag(is_set: bool) -> Value {
        Value { kind: Some(Kind::Flag(is_set)) }
    }

    pub(crate) fn fields<'a>(fields: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
        Value { kind: Some(Kind::Struct(Struct::of(fields))) }
    }

    pub(crate) fn list(values: impl IntoIterator<Item = Value>) -> Value {
        Value { kind: Some(Kind::List(List { values: values.into_iter().collect() })) }
    }
}
