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

fn valid_list(names: &[String]) -> String {
    match names {
        [] => "none, the program has no such object".to_string(),
        _ => names.join(", "),
    }
}

/// What is wrong with a part of a program, before it is known which object the part belongs to.
#[derive(Debug)]
pub(crate) enum Problem {
    Unsupported {
        construct: String,
        supported: Vec<&'static str>,
    },
    Invalid {
        reason: String,
    },
    /// The object is known already.
    Located(LoadError),
}

/// What comes of a part of a program.
pub(crate) type Result<T = (), E = Problem> = std::result::Result<T, E>;

impl Problem {
    pub(crate) fn unsupported(construct: impl Into<String>, supported: &[&'static str]) -> Problem {
        Problem::Unsupported { construct: construct.into(), supported: supported.to_vec() }
    }

    pub(crate) fn invalid(reason: impl Into<String>) -> Problem {
        Problem::Invalid { reason: reason.into() }
    }

    /// "There is no such thing."
    pub(crate) fn unknown(kind: &str, name: &str) -> Problem {
        Problem::invalid(format!("there is no {kind} '{name}'"))
    }

    /// The same problem, blamed on an object inside the one that will be named later.
    pub(crate) fn within(self, object: impl Into<String>) -> Problem {
        Problem::Located(self.in_object(object))
    }

    /// The same problem, blamed on an object such as `table ingress.route`.
    pub(crate) fn in_object(self, object: impl Into<String>) -> LoadError {
        let object = object.into();
        match self {
            Problem::Unsupported { construct, supported } => {
                LoadError::Unsupported { object, construct, supported }
            }
            Problem::Invalid { reason } => LoadError::Invalid { object, reason },
            Problem::Located(error) => error,
        }
    }
}

/// Blames a problem on an object.
pub(crate) trait InObject<T> {
    /// Names the object only if there is a problem.
    fn in_object(self, kind: &str, name: &str) -> Result<T, LoadError>;
}

impl<T> InObject<T> for Result<T, Problem> {
    fn in_object(self, kind: &str, name: &str) -> Result<T, LoadError> {
        self.map_err(|problem| problem.in_object(format!("{kind} {name}")))
    }
}

/// Why a control-plane request was refused. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ControlError {
    /// No object of that kind has that name.
    #[error("no {kind} '{name}'; valid: {}", valid_list(.valid))]
    UnknownObject {
        /// For example `table`, `action` or `register`.
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
    /// There is one already, for example an entry with this key and priority.
    #[error("{object}: {what} exists already")]
    AlreadyExists {
        /// The object asked for, for example `table ingress.route`.
        object: String,
        /// What exists, for example `the entry`.
        what: String,
    },
    /// There is none, for example no entry with this key and priority.
    #[error("{object}: no such {what}")]
    NotFound {
        /// The object asked for, for example `table ingress.route`.
        object: String,
        /// What is missing, for example `entry`.
        what: String,
    },
    /// The object holds as many as it can, for example a table.
    #[error("{object}: full, it holds at most {size} {what}")]
    Full {
        /// The object, for example `table ingress.route`.
        object: String,
        /// What it is full of, for example `entries`.
        what: &'static str,
        /// How many it holds at most.
        size: usize,
    },
    /// Something else refers to what was to be removed.
    #[error("{object}: {what} is in use by {user}")]
    InUse {
        /// The object, for example `action profile ingress.paths`.
        object: String,
        /// What is in use, for example `member 7`.
        what: String,
        /// Who uses it, for example `entries or groups`.
        user: &'static str,
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
