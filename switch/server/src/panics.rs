//! Panics, which leave nobody without an answer.

use std::any::Any;

use engine::panic_message;
use p4runtime::{refusal, Error};

/// The error of a panic.
pub(crate) fn failed(panic: &(dyn Any + Send)) -> Error {
    refusal!(Internal, "the engine has failed: {}", panic_message(panic))
}
