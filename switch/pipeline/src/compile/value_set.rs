//! Lowers parser value sets and the transitions that depend on them (`parse_vsets` of the JSON
//! format).

use super::assembler::Label;
use super::expression::Lowering;
use super::layout::unknown;
use crate::error::{InObject, LoadError, Problem};
use crate::json;
use crate::program::{Instruction, Operand, Slot, Type};
use crate::state::ValueSet;
use std::collections::HashMap;

/// How many members a set holds if the program does not say.
const DEFAULT_SIZE: u64 = 1024;

/// The program's value sets. The format says only how wide they are in all; the widths of their
/// fields are those of the transition keys.
#[derive(Debug, Default)]
pub(crate) struct ValueSets {
    sets: Vec<ValueSet>,
    indexes: HashMap<String, u16>,
}

impl ValueSets {
    pub(crate) fn new(program: &json::Program) -> Result<ValueSets, LoadError> {
        let mut sets = ValueSets::default();
        for set in &program.parse_vsets {
            sets.add(set).in_object("value set", &set.name)?;
        }
        Ok(sets)
    }

    fn add(&mut self, set: &json::ParseValueSet) -> Result<(), Problem> {
        let index = u16::try_from(self.sets.len())
            .map_err(|_| Problem::unsupported("one more of its kind", &["up to 65536"]))?;
        if self.indexes.insert(set.name.clone(), index).is_some() {
            return Err(Problem::invalid("declared twice"));
        }
        self.sets.push(ValueSet {
            name: set.name.clone(),
            size: set.max_size.unwrap_or(DEFAULT_SIZE).min(u64::from(u32::MAX)) as usize,
            widths: vec![set.compressed_bitwidth],
            members: Vec::new(),
        });
        Ok(())
    }

    /// The index of a set that is compared with a key of these fields.
    fn compared(&mut self, name: &str, key: &[Operand]) -> Result<u16, Problem> {
        let index = *self.indexes.get(name).ok_or_else(|| unknown("value set", name))?;
        let set = &mut self.sets[usize::from(index)];
        let widths: Vec<u32> = key.iter().map(|part| part.kind.bits()).collect();
        if widths.iter().sum::<u32>() != set.widths.iter().sum::<u32>() {
            return Err(Problem::invalid(format!(
                "value set '{name}' and the transition key differ in width"
            )));
        }
        set.widths = widths;
        Ok(index)
    }

    pub(crate) fn finish(self) -> Vec<ValueSet> {
        self.sets
    }
}

impl Lowering<'_> {
    /// Emits a jump to `target` if the key is a member of the transition's value set.
    pub(crate) fn value_set_transition(
        &mut self,
        key: &[Operand],
        transition: &json::Transition,
        target: Label,
    ) -> Result<(), Problem> {
        if transition.mask.is_some() {
            return Err(Problem::unsupported("a mask of a value set", &["members with masks"]));
        }
        let name = transition.value.as_deref().unwrap_or_default();
        let value_set = self.value_sets.compared(name, key)?;
        let key = self.joined(key)?;
        let target = target.target();
        self.code.emit(Instruction::JumpIfInValueSet { value_set, key, target })
    }

    /// Where the limbs of the values stand one after the other.
    fn joined(&mut self, values: &[Operand]) -> Result<Slot, Problem> {
        if let [value] = values {
            return Ok(value.slot);
        }
        let limbs: usize = values.iter().map(|value| value.limbs()).sum();
        let start = self.code.temporary(Type::Unsigned(limbs as u32 * 64))?.slot;
        let from = values.iter().flat_map(|value| value.slots());
        for (offset, from) in from.enumerate() {
            self.code.emit(Instruction::Copy { to: start + offset as Slot, from: from as Slot })?;
        }
        Ok(start)
    }
}
