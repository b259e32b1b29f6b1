//! What an update does to an entity.

use crate::status::{invalid, Error};

/// What an update does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Insert,
    Modify,
    Delete,
}

/// Refuses other changes of what is there with the program.
pub(super) fn check_modified(what: &str, change: Change) -> Result<(), Error> {
    match change {
        Change::Modify => Ok(()),
        Change::Insert | Change::Delete => Err(invalid(format!("{what} can only be modified"))),
    }
}
