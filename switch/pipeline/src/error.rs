//! What can be wrong with a program or with a control-plane request.

use thiserror::Error;

/// Why a program was not loaded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LoadError {
    /// The bytes are not JSON, or not BMv2's format.
    #[error("not a BMv2 JSON program: {0}")]
    Format(String),
    /// The program uses something that this target does not have.
    #[error("{object}: {construct} is not supported{}", supported_list(.supported))]
    Unsupported {
        /// The object that uses it, for example `table AbsIngress.acl`.
        object: String,
        /// The construct, for example `match type 'optional'`.
        construct: String,
        /// What would be valid in its place; may be empty.
        supported: Vec<&'static str>,
    },
    /// The program contradicts itself, for example by naming a header that it does not declare.
    #[error("{object}: {reason}")]
    Invalid {
        /// The object at fault, for example `action forward`.
        object: String,
        /// What is wrong with it.
        reason: String,
    },
}

fn supported_list(supported: &[&'static str]) -> String {
    if supported.is_empty() {
        String::new()
    } else {
        format!("; supported: {}", supported.join(", "))
    }
}

/// Why a control-plane request was refused. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ControlError {
    /// No object of that kind has that name.
    #[error("no {kind} '{name}'; valid: {}", .valid.join(", "))]
    UnknownObject {
        /// `table`, `action`, `register` or `counter`.
        kind: &'static str,
        /// The name asked for.
        name: String,
        /// The names that exist.
        valid: Vec<String>,
    },
    /// The request does not fit the object.
    #[error("{object}: {reason}")]
    InvalidArgument {
        /// The object asked for, for example `table ingress.route`.
        object: String,
        /// What does not fit, and what would.
        reason: String,
    },
    /// The table has an entry with this key and priority.
    #[error("table {table}: the entry exists already")]
    AlreadyExists {
        /// The table's name.
        table: String,
    },
    /// The table has no entry with this key and priority.
    #[error("table {table}: no such entry")]
    EntryNotFound {
        /// The table's name.
        table: String,
    },
    /// The table holds as many entries as the program allows.
    #[error("table {table}: full, it holds at most {size} entries")]
    TableFull {
        /// The table's name.
        table: String,
        /// Its size in entries.
        size: usize,
    },
    /// The program forbids the change.
    #[error("{object}: {reason}")]
    Constant {
        /// The object, for example `table ingress.route`.
        object: String,
        /// What is constant.
        reason: String,
    },
}
