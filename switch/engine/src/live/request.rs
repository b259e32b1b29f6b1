//! What others want of the link watch.

use std::sync::mpsc::Sender;

use thiserror::Error;

use crate::config::PortConfig;
use crate::io::InterfaceError;
use crate::switch::SwitchError;

/// Why a port was not added to a running switch, or not removed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PortError {
    /// The switch does not let it.
    #[error(transparent)]
    Switch(#[from] SwitchError),
    /// The interface cannot serve.
    #[error(transparent)]
    Interface(#[from] InterfaceError),
}

/// Something that is to be done, and whom to tell when it is.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) wanted: Wanted,
    pub(super) answer: Sender<Result<(), PortError>>,
}

#[derive(Debug)]
pub(super) enum Wanted {
    Add(PortConfig),
    Remove(u16),
}
