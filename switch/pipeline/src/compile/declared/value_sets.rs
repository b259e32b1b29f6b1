//! Parser value sets (`parse_vsets` of the JSON format).

use super::indexed::Indexed;
use crate::error::{InObject, LoadError};
use crate::json;
use crate::state::ValueSet;

/// How many members a set holds if the program does not say.
const DEFAULT_SIZE: u64 = 1024;

/// The program's value sets. The format says only how wide they are in all; the widths of their
/// fields are those of the transition keys.
pub(crate) type ValueSets = Indexed<String, ValueSet>;

/// Creates the program's value sets.
pub(super) fn value_sets(program: &json::Program) -> Result<ValueSets, LoadError> {
    let mut sets = Indexed::new("value set");
    for set in &program.parse_vsets {
        let declared = ValueSet {
            name: set.name.clone(),
            size: set.max_size.unwrap_or(DEFAULT_SIZE).min(u64::from(u32::MAX)) as usize,
            widths: vec![set.compressed_bitwidth],
            members: Vec::new(),
        };
        sets.add(set.name.clone(), declared).in_object("value set", &set.name)?;
    }
    Ok(sets)
}
