//! Parser value sets: conditions of parser transitions that the control plane fills.

use crate::numbers::bits::limbs_for;
use crate::types::Match;

/// A value set. It is small: members are tried one after the other.
#[derive(Debug)]
pub(crate) struct ValueSet {
    pub(crate) name: String,
    /// The most members it holds.
    pub(crate) size: usize,
    /// The widths of its fields, in bits.
    pub(crate) widths: Vec<u32>,
    pub(crate) members: Vec<Member>,
}

/// A member: one condition for every field.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) given: Vec<Match>,
    pub(crate) conditions: Vec<Condition>,
}

/// What a field must be.
#[derive(Debug)]
pub(crate) enum Condition {
    Masked { value: Vec<u64>, mask: Vec<u64> },
    Range { low: Vec<u64>, high: Vec<u64> },
}

impl ValueSet {
    /// How many limbs a key has.
    pub(crate) fn limbs(&self) -> usize {
        self.widths.iter().map(|&bits| limbs_for(bits)).sum()
    }

    /// Whether the limbs of all fields, one after the other, are a member.
    pub(crate) fn contains(&self, key: &[u64]) -> bool {
        self.members.iter().any(|member| member.matches(key))
    }
}

impl Member {
    fn matches(&self, mut key: &[u64]) -> bool {
        self.conditions.iter().all(|condition| {
            let (field, rest) = key.split_at(condition.limbs());
            key = rest;
            condition.holds(field)
        })
    }
}

impl Condition {
    fn limbs(&self) -> usize {
        match self {
            Condition::Masked { value, .. } => value.len(),
            Condition::Range { low, .. } => low.len(),
        }
    }

    fn holds(&self, field: &[u64]) -> bool {
        match self {
            Condition::Masked { value, mask } => {
                field.iter().zip(mask).map(|(limb, mask)| limb & mask).eq(value.iter().copied())
            }
            Condition::Range { low, high } => {
                low.iter().rev().le(field.iter().rev()) && field.iter().rev().le(high.iter().rev())
            }
        }
    }
}
