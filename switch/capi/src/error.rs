//! What C is told.

use std::any::Any;
use std::ffi::CString;

use pipeline::{BigUint, ControlError, LoadError};
use thiserror::Error;

/// Why a call failed.
#[derive(Debug, Error)]
pub(crate) enum Error {
    #[error("{0} is null")]
    Null(&'static str),
    #[error("{0} is not UTF-8")]
    NotUtf8(&'static str),
    #[error("{0}: more bytes than memory has")]
    TooLong(&'static str),
    #[error("packet {0:#x} is not in a queue: it never was or has left")]
    StalePacket(u64),
    #[error("register {name}: the value {value} does not fit 64 bits")]
    WideRegister { name: String, value: BigUint },
    #[error("the program asks for {0}, for which this interface has no replication engine")]
    Unsupported(&'static str),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Control(#[from] ControlError),
    #[error("defect in the pipeline, it cannot be used any more: {0}")]
    Panic(String),
}

impl Error {
    /// The error that a caught panic stands for.
    pub(crate) fn from_panic(payload: &(dyn Any + Send)) -> Error {
        let literal = payload.downcast_ref::<&str>().map(|text| (*text).to_string());
        let formatted = payload.downcast_ref::<String>().cloned();
        Error::Panic(literal.or(formatted).unwrap_or_else(|| "no message".to_string()))
    }

    /// The message as C reads it. Names from a program may hold NUL, which would end it early.
    pub(crate) fn message(&self) -> CString {
        CString::new(self.to_string().replace('\0', "\u{fffd}")).unwrap_or_default()
    }
}
