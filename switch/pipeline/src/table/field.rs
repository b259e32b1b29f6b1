//! The fields of a table's key.

use crate::program::{Place, Slot};
use crate::types::MatchKind;

/// A field of a table's key.
#[derive(Debug, Clone)]
pub(crate) struct KeyField {
    pub(crate) name: String,
    pub(crate) kind: MatchKind,
    pub(crate) place: Place,
    /// The validity of its header: the fields of invalid headers count as 0, as in BMv2.
    pub(crate) valid: Option<Slot>,
    /// Applied to the field before it is matched.
    pub(crate) mask: Option<Vec<u64>>,
}

impl KeyField {
    pub(crate) fn bits(&self) -> u32 {
        self.place.kind.bits()
    }
}
