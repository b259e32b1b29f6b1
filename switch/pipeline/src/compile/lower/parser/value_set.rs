//! Lowers the transitions that depend on value sets.

use crate::compile::assembler::Label;
use crate::compile::lower::lowering::Lowering;
use crate::error::{Problem, Result};
use crate::json;
use crate::program::{Instruction, Operand, Slot, Type};

impl Lowering<'_> {
    /// Emits a jump to `target` if the key is a member of the transition's value set.
    pub(crate) fn value_set_transition(
        &mut self,
        key: &[Operand],
        transition: &json::Transition,
        target: Label,
    ) -> Result {
        if transition.mask.is_some() {
            return Err(Problem::unsupported("a mask of a value set", &["members with masks"]));
        }
        let name = transition.value.as_deref().unwrap_or_default();
        let value_set = self.compared_set(name, key)?;
        let key = self.joined(key)?;
        let target = target.target();
        self.code.emit(Instruction::JumpIfInValueSet { value_set, key, target })
    }

    /// The value set of that name, whose fields are as wide as those of the key.
    fn compared_set(&mut self, name: &str, key: &[Operand]) -> Result<u16> {
        let place = self.value_sets.find(name)?;
        let set = self.value_sets.at_mut(place);
        let widths: Vec<u32> = key.iter().map(|part| part.kind.bits()).collect();
        if widths.iter().sum::<u32>() != set.widths.iter().sum::<u32>() {
            return Err(Problem::invalid(format!(
                "value set '{name}' and the transition key differ in width"
            )));
        }
        set.widths = widths;
        Ok(place)
    }

    /// Where the limbs of the values stand one after the other.
    fn joined(&mut self, values: &[Operand]) -> Result<Slot> {
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
