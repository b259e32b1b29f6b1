//! ExternEntry (P4Runtime 1.5, section 9.9): no program with such objects is accepted.

use super::cursor::{Cursor, Ready};
use crate::messages::runtime::ExternEntry;
use crate::status::{Error, Result};

/// Refuses it.
pub(super) fn write(_: &ExternEntry) -> Result {
    Err(unimplemented())
}

/// None, if none in particular is asked for.
pub(super) fn read(wanted: &ExternEntry) -> Result<Box<dyn Cursor>> {
    let names_content =
        |entry: &crate::messages::rpc::Any| !entry.type_url.is_empty() || !entry.value.is_empty();
    let names_one = wanted.extern_type_id != 0
        || wanted.extern_id != 0
        || wanted.entry.as_ref().is_some_and(names_content);
    match names_one {
        true => Err(unimplemented()),
        false => Ok(Ready::boxed(Vec::new())),
    }
}

fn unimplemented() -> Error {
    refusal!(Unimplemented, "extern_entry is not supported")
}
