//! What is wrong with a request, and how that travels (P4Runtime 1.5, sections 10 and 12.3).

use engine::{ConfigError, PortError, ReplicationError, SwitchError};
use pipeline::{ControlError, LoadError};
use prost::Message;

use crate::messages::requests::DetailedError;
use crate::messages::rpc::{Any, Status};

/// A client accepts 8 KiB of metadata by default, and often gets none of them if there is more. In
/// base64 three bytes of a status become four; the call's message and other metadata need room, too.
const STATUS_BYTES: usize = 5200;
/// What a part of a batch takes of it without its message.
const DETAIL_BYTES: usize = 41;
/// The most that messages take of it.
const MESSAGES_BYTES: usize = 3072;
/// The first message goes there twice, and lists what would be valid.
const LONGEST_BYTES: usize = 1000;
const CUT: &str = " ...";

/// Codes of `google.rpc.Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Code {
    /// Of a batch: what each update has come to is in the details.
    Unknown = 2,
    /// The request can never be served as it is.
    InvalidArgument = 3,
    /// There is none.
    NotFound = 5,
    /// There is one already.
    AlreadyExists = 6,
    /// Nobody may do that.
    PermissionDenied = 7,
    /// There is no more room.
    ResourceExhausted = 8,
    /// Something else must be done before.
    FailedPrecondition = 9,
    /// Another update of the batch has failed, or another program was loaded.
    Aborted = 10,
    /// A number is beyond what there is.
    OutOfRange = 11,
    /// The switch has no such thing.
    Unimplemented = 12,
    /// The switch is at fault.
    Internal = 13,
    /// The switch has failed.
    Unavailable = 14,
}

/// A request, or a part of one, that is refused: a code, and one line that names the object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The canonical code.
    pub code: Code,
    /// One line of at most 1000 bytes and " ...".
    pub message: String,
}

/// What comes of a request, or of a part of one.
pub(crate) type Result<T = (), E = Error> = std::result::Result<T, E>;

impl Error {
    /// Shortens a message, and makes one line of it: what a request names may have any.
    pub fn new(code: Code, message: impl AsRef<str>) -> Error {
        Error { code, message: one_line(message.as_ref()) }
    }
}

/// An [`Error`] with one of [`Code`]'s codes and a message, which is given as to `format!`.
#[macro_export]
macro_rules! refusal {
    ($code:ident, $($message:tt)+) => {
        $crate::Error::new($crate::Code::$code, format!($($message)+))
    };
}

/// That of a request which can never be served as it is.
#[macro_export]
macro_rules! invalid {
    ($($message:tt)+) => { $crate::refusal!(InvalidArgument, $($message)+) };
}

fn one_line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.len() <= LONGEST_BYTES {
        return words;
    }
    let end = (0..=LONGEST_BYTES).rev().find(|&end| words.is_char_boundary(end)).unwrap_or(0);
    format!("{}{CUT}", &words[..end])
}

impl From<ControlError> for Error {
    fn from(error: ControlError) -> Error {
        let code = match error {
            ControlError::UnknownObject { .. }
            | ControlError::InvalidArgument { .. }
            | ControlError::Constant { .. } => Code::InvalidArgument,
            ControlError::AlreadyExists { .. } => Code::AlreadyExists,
            ControlError::NotFound { .. } => Code::NotFound,
            ControlError::Full { .. } => Code::ResourceExhausted,
            ControlError::InUse { .. } => Code::FailedPrecondition,
        };
        Error::new(code, error.to_string())
    }
}

impl From<ReplicationError> for Error {
    fn from(error: ReplicationError) -> Error {
        let code = match error {
            ReplicationError::AlreadyExists(_) => Code::AlreadyExists,
            ReplicationError::NotFound(_) => Code::NotFound,
            ReplicationError::Invalid(_) => Code::InvalidArgument,
        };
        Error::new(code, error.to_string())
    }
}

impl From<SwitchError> for Error {
    fn from(error: SwitchError) -> Error {
        let code = match error {
            SwitchError::PortInUse { .. } | SwitchError::InterfaceInUse { .. } => {
                Code::AlreadyExists
            }
            SwitchError::Failed { .. } => Code::Unavailable,
            SwitchError::Config(
                ConfigError::NoInterfaceName { .. } | ConfigError::InterfaceTwice { .. },
            ) => Code::FailedPrecondition,
            _ => Code::InvalidArgument,
        };
        Error::new(code, error.to_string())
    }
}

impl From<PortError> for Error {
    fn from(error: PortError) -> Error {
        match error {
            PortError::Switch(error) => error.into(),
            PortError::Interface(error) => Error::new(Code::FailedPrecondition, error.to_string()),
        }
    }
}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Error {
        match error {
            LoadError::NoThread(_) => Error::new(Code::ResourceExhausted, error.to_string()),
            _ => Error::new(Code::InvalidArgument, error.to_string()),
        }
    }
}

/// The message and the `google.rpc.Status` of a batch of which something has failed, one with a
/// `p4.v1.Error` for each part (section 12.3).
pub type BatchStatus = Option<(String, Vec<u8>)>;

/// What the parts of a batch have come to.
#[derive(Debug)]
pub(crate) struct Results {
    results: Vec<Result>,
    failed: usize,
    /// Of the first that failed by itself.
    cause: Option<Error>,
    /// For the messages of more.
    room_bytes: usize,
}

impl Results {
    /// Of a batch of so many parts, whose first message always has room.
    pub(crate) fn of(parts: usize) -> Results {
        let left = STATUS_BYTES.saturating_sub(parts.saturating_mul(DETAIL_BYTES));
        let room_bytes = left.clamp(LONGEST_BYTES + CUT.len(), MESSAGES_BYTES);
        Results { results: Vec::new(), failed: 0, cause: None, room_bytes }
    }

    /// Of how many parts.
    pub(crate) fn len(&self) -> usize {
        self.results.len()
    }

    /// That of the next part. It is without a message where there is no more room for them, unless
    /// it says why others were undone.
    pub(crate) fn push(&mut self, result: Result) {
        let result = result.map_err(|error| self.told(error));
        self.results.push(result);
    }

    /// That of an earlier part.
    pub(crate) fn get(&self, position: usize) -> Result {
        self.results[position].clone()
    }

    fn told(&mut self, error: Error) -> Error {
        self.failed += 1;
        // What was undone because of another part does not say why.
        let is_cause = self
            .cause
            .as_ref()
            .is_none_or(|cause| cause.code == Code::Aborted && error.code != Code::Aborted);
        if is_cause {
            self.cause = Some(error.clone());
        }
        let left = self.room_bytes.checked_sub(error.message.len());
        self.room_bytes = left.unwrap_or(0);
        let message = if is_cause || left.is_some() { error.message } else { String::new() };
        Error { code: error.code, message }
    }

    /// Nothing if all went well, else that of UNKNOWN.
    pub(crate) fn status(&self, operation: &str) -> BatchStatus {
        let cause = self.cause.as_ref()?;
        let (count, all) = (self.failed, self.results.len());
        let message = format!("{operation}: {count} of {all} failed, first: {}", cause.message);
        let code = Code::Unknown as i32;
        let details = self.results.iter().map(detail).collect();
        let status = Status { code, message: message.clone(), details };
        Some((message, status.encode_to_vec()))
    }
}

fn detail(result: &Result) -> Any {
    let error = match result {
        Ok(()) => DetailedError::default(),
        Err(Error { code, message }) => {
            DetailedError { canonical_code: *code as i32, message: message.clone() }
        }
    };
    let type_url = "type.googleapis.com/p4.v1.Error".to_owned();
    Any { type_url, value: error.encode_to_vec() }
}
