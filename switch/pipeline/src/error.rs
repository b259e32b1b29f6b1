//! What can be wrong with a program or with a control-plane request.

use thiserror::Error;

/// Why a program was not loaded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs)] // the messages say what the fields are
pub enum LoadError {
    /// The bytes are not JSON, or not BMv2's format.
    #[error("not a BMv2 JSON program: {0}")]
    Format(String),
    /// The system has no thread for the loader.
    #[error("cannot start a thread to load the program: {0}")]
    NoThread(String),
    /// The program uses something that this target does not have.
    #[error("{object}: {construct} is not supported{}", supported_list(.supported))]
    Unsupported { object: String, construct: String, supported: Vec<&'static str> },
    /// The program contradicts itself, for example by naming a header that it does not declare.
    #[error("{object}: {reason}")]
    Invalid { object: String, reason: String },
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

/// Why a control-plane request was refused. Nothing was changed. Objects are named with their kinds, as
/// `table ingress.route`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs)] // the messages say what the fields are
pub enum ControlError {
    /// No object of that kind has that name.
    #[error("no {kind} '{name}'; valid: {}", valid_list(.valid))]
    UnknownObject { kind: &'static str, name: String, valid: Vec<String> },
    /// The request does not fit the object.
    #[error("{object}: {reason}")]
    InvalidArgument { object: String, reason: String },
    /// There is one already, for example an entry with this key and priority.
    #[error("{object}: {what} exists already")]
    AlreadyExists { object: String, what: String },
    /// There is none, for example no entry with this key and priority.
    #[error("{object}: no such {what}")]
    NotFound { object: String, what: String },
    /// The object holds as many as it can, for example a table.
    #[error("{object}: full, it holds at most {size} {what}")]
    Full { object: String, what: &'static str, size: usize },
    /// Something else refers to what was to be removed.
    #[error("{object}: {what} is in use by {user}")]
    InUse { object: String, what: String, user: &'static str },
    /// The program forbids the change.
    #[error("{object}: {reason}")]
    Constant { object: String, reason: String },
}
