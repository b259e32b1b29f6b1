//! Digests: lists of fields that ingress sends to the control plane (learn lists).

use super::place::Operand;
use crate::numbers::bits;
use std::sync::Arc;

/// A message to the control plane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digest {
    /// Its P4Info name.
    pub name: Arc<str>,
    /// The fields, big-endian in as many bytes as each needs; those of nested structs stand in
    /// place of the struct.
    pub fields: Vec<Vec<u8>>,
}

/// What a digest consists of.
#[derive(Debug)]
pub(crate) struct LearnList {
    pub(crate) name: Arc<str>,
    pub(crate) fields: Vec<Operand>,
}

impl LearnList {
    /// The widths of its fields.
    pub(crate) fn widths_bits(&self) -> impl Iterator<Item = u32> + '_ {
        self.fields.iter().map(|field| field.kind.bits())
    }

    /// The fields' present values.
    pub(crate) fn sample(&self, slots: &[u64]) -> Digest {
        let field = |field: &Operand| bits::to_bytes(&slots[field.slots()], field.kind.bits());
        Digest { name: Arc::clone(&self.name), fields: self.fields.iter().map(field).collect() }
    }
}
