//! The engine's errors as Python exceptions.

use std::borrow::Cow;
use std::io;

use engine::{ConfigError, PortError, SwitchError};
use pipeline::{ControlError, LoadError};
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::PyErr;

create_exception!(_engine, EngineError, PyException, "Base of all errors of the engine.");
create_exception!(_engine, PipelineRefused, EngineError, "The program cannot run here.");
create_exception!(_engine, UnknownObject, EngineError, "No object has that name.");
create_exception!(_engine, InvalidArgument, EngineError, "A value does not fit.");
create_exception!(_engine, AlreadyExists, EngineError, "There is one already.");
create_exception!(_engine, InterfaceError, EngineError, "An interface cannot serve as a port.");
create_exception!(_engine, SwitchFailed, EngineError, "A thread of the switch has died.");

create_exception!(_engine, RequestRefused, PyException, "A code of google.rpc, and why.");

pub(crate) fn refused(p4runtime::Error { code, message }: p4runtime::Error) -> PyErr {
    RequestRefused::new_err((code as i32, message))
}

/// Longer words of a program are cut in messages.
const LONGEST_WORD: usize = 200;
const SHOWN_OF_LONGER: usize = 40;

pub(crate) fn from_load(error: LoadError) -> PyErr {
    PipelineRefused::new_err(with_short_words(&error.to_string()))
}

/// A text in which a word of thousands of characters, such as a constant, is cut.
fn with_short_words(text: &str) -> String {
    let words: Vec<_> = text.split(' ').map(shortened).collect();
    words.join(" ")
}

fn shortened(word: &str) -> Cow<'_, str> {
    let characters = word.chars().count();
    if characters <= LONGEST_WORD {
        return word.into();
    }
    let shown: String = word.chars().take(SHOWN_OF_LONGER).collect();
    format!("{shown}... ({characters} characters)").into()
}

/// An error of the system in words, without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

pub(crate) fn from_control(error: ControlError) -> PyErr {
    let message = error.to_string();
    match error {
        ControlError::UnknownObject { .. } => UnknownObject::new_err(message),
        _ => InvalidArgument::new_err(message),
    }
}

pub(crate) fn from_switch(error: SwitchError) -> PyErr {
    let message = error.to_string();
    match error {
        SwitchError::UnknownPort { .. }
        | SwitchError::UnknownQueue { .. }
        | SwitchError::NoProgram => UnknownObject::new_err(message),
        SwitchError::PortInUse { .. } | SwitchError::InterfaceInUse { .. } => {
            AlreadyExists::new_err(message)
        }
        SwitchError::Config(error) => from_config(error),
        SwitchError::NoCpuPort | SwitchError::Past { .. } | SwitchError::RealTime => {
            InvalidArgument::new_err(message)
        }
        SwitchError::Failed { .. } => SwitchFailed::new_err(message),
    }
}

pub(crate) fn from_port(error: PortError) -> PyErr {
    match error {
        PortError::Switch(error) => from_switch(error),
        PortError::Interface(error) => from_interface(error),
    }
}

pub(crate) fn from_config(error: ConfigError) -> PyErr {
    let message = error.to_string();
    match error {
        ConfigError::NoInterfaceName { .. } | ConfigError::InterfaceTwice { .. } => {
            InterfaceError::new_err(message)
        }
        ConfigError::PortOutOfRange(_)
        | ConfigError::PortTwice(_)
        | ConfigError::PortIsCpuPort(_)
        | ConfigError::QueuesOutOfRange { .. }
        | ConfigError::WeightsAndQueues { .. }
        | ConfigError::WeightOfNone { .. }
        | ConfigError::RateOutOfRange { .. } => InvalidArgument::new_err(message),
    }
}

pub(crate) fn from_interface(error: engine::InterfaceError) -> PyErr {
    InterfaceError::new_err(error.to_string())
}
