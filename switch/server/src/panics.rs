//! Panics, which leave nobody without an answer.

use std::any::Any;

use p4runtime::{refusal, Error};

/// The error of a panic.
pub(crate) fn failed(panic: &(dyn Any + Send)) -> Error {
    refusal!(Internal, "the engine has failed: {}", panic_message(panic))
}

/// What a panic says.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message")
}
