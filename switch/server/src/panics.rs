//! Panics, which leave nobody without an answer.

use std::any::Any;

use p4runtime::{Code, Error};

/// The error of a panic.
pub(crate) fn failed(panic: &(dyn Any + Send)) -> Error {
    let message = format!("the engine has failed: {}", panic_message(panic));
    Error::new(Code::Internal, message)
}

/// What a panic says.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message")
}
