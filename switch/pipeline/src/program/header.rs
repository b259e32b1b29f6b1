//! A header instance: where it is in the slots and how it is read and written.

use super::place::{get, Slot};
use super::variable_field::VariableField;
use super::wire::{EmitPlan, ExtractPlan};
use std::hash::{DefaultHasher, Hasher};
use std::ops::Range;

/// A header instance.
#[derive(Debug)]
pub(crate) struct Header {
    /// Its validity: 0 or 1.
    pub(crate) valid: Slot,
    /// Where in the frame it was read: 1 is the frame's first byte, and 0 nowhere. Headers with a
    /// variable field keep no account of it.
    pub(crate) origin: Option<Slot>,
    /// All its fields, and the origin.
    pub(crate) fields: Range<usize>,
    /// All that it consists of: validity, the length of the variable field, origin, fields.
    pub(crate) slots: Range<usize>,
    /// Its length without the variable field.
    pub(crate) bytes: usize,
    /// Reads the fields in front of the variable field, which are all if there is none.
    pub(crate) extract: ExtractPlan,
    /// Writes all these fields.
    pub(crate) emit: EmitPlan,
    /// Writes those that can have changed since the header was read.
    pub(crate) emit_changes: EmitPlan,
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

    /// Writes the header to `frame`, which starts with it, has padding behind it and stands at
    /// `place` as origins count; 0 is in front of the received frame. Where the header was read,
    /// most of it is there already.
    #[inline]
    pub(crate) fn emit(&self, frame: &mut [u8], place: u64, slots: &[u64]) {
        match self.origin {
            Some(origin) if place > 0 && get(slots, origin) == place => {
                self.emit_changes.run(frame, slots);
                debug_assert!(self.is_whole(frame, slots), "a write went unnoticed");
            }
            _ => self.emit_all(frame, slots),
        }
    }

    /// Writes all fields; whether that makes no difference.
    fn is_whole(&self, frame: &mut [u8], slots: &[u64]) -> bool {
        let before = digest(&frame[..self.bytes]);
        self.emit_all(frame, slots);
        before == digest(&frame[..self.bytes])
    }

    #[inline(never)]
    fn emit_all(&self, frame: &mut [u8], slots: &[u64]) {
        self.emit.run(frame, slots);
        if let Some(field) = &self.variable {
            field.insert(&mut frame[..self.length_bytes(slots)], self.bytes, slots);
        }
    }
}

fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}
