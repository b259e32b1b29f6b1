//! What an update does to an entity.

use std::fmt::Display;

use crate::status::Result;

/// What an update does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Insert,
    Modify,
    Delete,
}

impl Change {
    /// That of a `p4.v1.Update.Type`.
    pub(crate) fn of(kind: i32) -> Result<Change> {
        match kind {
            1 => Ok(Change::Insert),
            2 => Ok(Change::Modify),
            3 => Ok(Change::Delete),
            0 => Err(invalid!("the update has no type; valid: INSERT, MODIFY, DELETE")),
            other => Err(invalid!("unknown update type {other}; valid: INSERT, MODIFY, DELETE")),
        }
    }
}

/// Refuses other changes of what is there with the program.
pub(super) fn check_modified(what: impl Display, change: Change) -> Result {
    match change {
        Change::Modify => Ok(()),
        Change::Insert | Change::Delete => Err(invalid!("{what} can only be modified")),
    }
}
