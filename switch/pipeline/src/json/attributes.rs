//! The attributes of a JSON object, read where they are.

use crate::error::{Problem, Result};
use serde_json::{Map, Value};

/// An object that has no other attributes than those that are known. Nothing of it is copied:
/// expressions are nested, and copied at each level they would cost their depth times their size.
pub(super) struct Attributes<'a> {
    object: &'a Map<String, Value>,
    /// What errors call the object.
    what: &'static str,
}

impl<'a> Attributes<'a> {
    pub(super) fn of(
        value: &'a Value,
        what: &'static str,
        known: &[&'static str],
    ) -> Result<Attributes<'a>> {
        let Some(object) = value.as_object() else {
            return Err(Problem::invalid(format!("malformed {what}: no object")));
        };
        match object.keys().find(|name| !known.contains(&name.as_str())) {
            None => Ok(Attributes { object, what }),
            Some(name) => Err(Problem::unsupported(format!("{what} attribute '{name}'"), known)),
        }
    }

    /// An attribute that is there and not null.
    pub(super) fn optional(&self, name: &str) -> Option<&'a Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    /// An attribute that must be there.
    pub(super) fn value(&self, name: &str) -> Result<&'a Value> {
        self.object.get(name).ok_or_else(|| self.malformed(format!("no '{name}'")))
    }

    /// An attribute that must be a string.
    pub(super) fn text(&self, name: &str) -> Result<&'a str> {
        self.value(name)?.as_str().ok_or_else(|| self.malformed(format!("'{name}' is no string")))
    }

    fn malformed(&self, why: String) -> Problem {
        Problem::invalid(format!("malformed {}: {why}", self.what))
    }
}
