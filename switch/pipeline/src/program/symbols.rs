//! What traces need to know of the source program: names beside the code.

use super::instruction::Address;
use super::place::{Place, Slot};
use std::collections::HashMap;

/// A position among the marks.
pub(crate) type MarkIndex = usize;

/// A label's number.
pub(crate) type LabelNumber = u32;

/// Something of the source program that begins at an address.
#[derive(Debug, Clone)]
pub(crate) enum Mark {
    ParserState(String),
    ParserEnd,
    Pipeline(String),
    Condition(ConditionSymbol),
    Statement(String),
    Checksum(ChecksumSymbol),
}

/// A checksum that is verified or updated.
#[derive(Debug, Clone)]
pub(crate) struct ChecksumSymbol {
    /// The name of its field.
    pub(crate) field: String,
    pub(crate) place: Place,
    pub(crate) is_verified: bool,
}

/// A condition between tables.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConditionSymbol {
    pub(crate) name: String,
    /// Where it stands in the source, and its text.
    pub(crate) source: Option<String>,
    /// Jumps to this label mean that it holds,
    pub(crate) yes: LabelNumber,
    /// and to this one that it does not.
    pub(crate) no: LabelNumber,
    /// What it means that control falls through its end.
    pub(crate) otherwise: bool,
    /// Behind its last instruction.
    pub(crate) end: Address,
}

/// A header's names.
#[derive(Debug, Clone, Default)]
pub(crate) struct HeaderSymbol {
    pub(crate) name: String,
    pub(crate) fields: Vec<FieldSymbol>,
}

/// A field of a header.
#[derive(Debug, Clone)]
pub(crate) struct FieldSymbol {
    pub(crate) name: String,
    pub(crate) place: Place,
    /// Where the length in bits of a field of variable length is.
    pub(crate) length: Option<Slot>,
}

/// The source's names of what lies in the code.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    /// By address, which may have several: control that falls through passes all of them.
    pub(crate) marks: Vec<(Address, Mark)>,
    /// By label: the first mark that control passes which jumps there.
    pub(crate) labels: Vec<MarkIndex>,
    /// By a jump's address: its label.
    pub(crate) jumps: HashMap<Address, LabelNumber>,
    pub(crate) headers: Vec<HeaderSymbol>,
    /// The parser's errors by their codes.
    pub(crate) errors: HashMap<u64, String>,
}

impl Symbols {
    /// The parser's state that an address belongs to.
    pub(crate) fn parser_state(&self, address: Address) -> Option<&str> {
        let end = self.marks.partition_point(|mark| mark.0 <= address);
        self.marks[..end].iter().rev().find_map(|(_, mark)| match mark {
            Mark::ParserState(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The marks at an address that control passes when it comes there, from a label or not.
    pub(crate) fn at(&self, address: Address, label: Option<LabelNumber>) -> &[(Address, Mark)] {
        let first = self.marks.partition_point(|mark| mark.0 < address);
        let from = label.map_or(first, |label| self.labels[label as usize].max(first));
        let end = self.marks.partition_point(|mark| mark.0 <= address);
        &self.marks[from.min(end)..end]
    }
}
