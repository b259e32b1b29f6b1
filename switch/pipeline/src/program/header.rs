//! A header instance: where it is in the slots and how it is read and written.

use super::place::Slot;
use super::variable_field::VariableField;
use super::wire::{EmitPlan, ExtractPlan};
use std::ops::Range;

/// A header instance.
#[derive(Debug)]
pub(crate) struct Header {
    /// Its validity: 0 or 1.
    pub(crate) valid: Slot,
    /// All its fields.
    pub(crate) fields: Range<usize>,
    /// All that it consists of: validity, the length of the variable field, fields.
    pub(crate) slots: Range<usize>,
    /// Its length without the variable field.
    pub(crate) bytes: usize,
    /// Reads the fields in front of the variable field, which are all if there is none.
    pub(crate) extract: ExtractPlan,
    pub(crate) emit: EmitPlan,
    pub(crate) variable: Option<VariableField>,
}

impl Header {
    /// Its present length.
    #[inline]
    pub(crate) fn length_bytes(&self, slots: &[u64]) -> usize {
        self.bytes + self.variable.as_ref().map_or(0, |field| field.bytes(slots))
    }

    /// The most bytes that it can have.
    pub(crate) fn max_bytes(&self) -> usize {
        self.bytes + self.variable.as_ref().map_or(0, |field| field.max_bytes())
    }

    /// Writes the header to `frame`, which is exactly as long as the header.
    #[inline]
    pub(crate) fn emit(&self, frame: &mut [u8], slots: &[u64]) {
        match &self.variable {
            None => self.emit.run(frame, slots),
            Some(field) => {
                self.emit.run(&mut frame[..self.bytes], slots);
                field.insert(frame, self.bytes, slots);
            }
        }
    }
}
