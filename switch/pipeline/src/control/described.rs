//! What a program has beside its state: digests, and types of headers.

use super::Control;
use crate::program::LearnList;
use crate::types::{DigestInfo, HeaderTypeInfo};

impl Control<'_> {
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
}
