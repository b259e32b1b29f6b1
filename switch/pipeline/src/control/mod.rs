//! The control plane's view of a pipeline: tables, action profiles, registers, counters, meters
//! and value sets by P4Info name, hashes by the name that the JSON has for them.

mod calculations;
mod conversion;
mod counters;
mod meters;
mod profiles;
mod registers;
mod tables;
mod take_over;
mod value_sets;

use std::ops::Range;

use crate::error::ControlError;
use crate::program::{HeaderSymbol, LearnList, Program};
use crate::state::State;
use crate::types::{DigestInfo, HeaderTypeInfo};

type Result<T = (), E = ControlError> = std::result::Result<T, E>;

/// Reads and writes a pipeline's state. A request that fails has changed nothing.
#[derive(Debug)]
pub struct Control<'a> {
    state: &'a mut State,
    program: &'a Program,
}

impl<'a> Control<'a> {
    pub(crate) fn new(state: &'a mut State, program: &'a Program) -> Control<'a> {
        Control { state, program }
    }

    /// The program's digests.
    pub fn digests(&self) -> Vec<DigestInfo> {
        let info = |list: &LearnList| DigestInfo {
            name: list.name.to_string(),
            widths_bits: list.widths_bits().collect(),
        };
        self.program.learn_lists.iter().map(info).collect()
    }

    /// The program's types of headers, metadata among them.
    pub fn header_types(&self) -> Vec<HeaderTypeInfo> {
        self.program.header_types.clone()
    }

    /// The fields of headers and metadata, as `header.field`, as traces name them.
    pub fn field_names(&self) -> Vec<String> {
        let headers = self.program.symbols.headers.iter();
        let named = |header: &'a HeaderSymbol| {
            header.fields.iter().map(|field| format!("{}.{}", header.name, field.name))
        };
        headers.flat_map(named).collect()
    }
}

/// Where the object of that name stands among its kind.
fn position<T>(
    kind: &'static str,
    objects: &[T],
    name_of: fn(&T) -> &String,
    name: &str,
) -> Result<usize> {
    let found = objects.iter().position(|object| name_of(object) == name);
    found.ok_or_else(|| unknown(kind, name, objects.iter().map(name_of)))
}

/// "There is no such object; there are these."
fn unknown<'n>(
    kind: &'static str,
    name: &str,
    valid: impl Iterator<Item = &'n String>,
) -> ControlError {
    ControlError::UnknownObject { kind, name: name.to_string(), valid: valid.cloned().collect() }
}

/// "That does not fit the object."
fn invalid(kind: &str, name: &str, reason: impl Into<String>) -> ControlError {
    ControlError::InvalidArgument { object: format!("{kind} {name}"), reason: reason.into() }
}

/// An index beyond the end of an array.
fn out_of_bounds(kind: &str, name: &str, index: usize, size: usize) -> ControlError {
    invalid(kind, name, format!("index {index} is out of bounds; valid: 0 to {}", size.max(1) - 1))
}

/// The last of some cells.
fn last_of(cells: &Range<usize>) -> usize {
    cells.end.saturating_sub(1)
}
