//! Parser value sets.

use super::conversion::match_from;
use super::{invalid, position, Control, Result};
use crate::state::{Condition, Member, ValueSet};
use crate::table::FieldMatch;
use crate::types::{Match, ValueSetInfo};

const KIND: &str = "value set";

impl Control<'_> {
    /// The program's value sets.
    pub fn value_sets(&self) -> Vec<ValueSetInfo> {
        let info = |set: &ValueSet| ValueSetInfo {
            name: set.name.clone(),
            size: set.size,
            bitwidths: set.widths.iter().map(|&bits| bits as usize).collect(),
        };
        self.state.value_sets.iter().map(info).collect()
    }

    /// The members, each as one match for every field.
    pub fn value_set_read(&self, name: &str) -> Result<Vec<Vec<Match>>> {
        let set = &self.state.value_sets[self.value_set_position(name)?];
        Ok(set.members.iter().map(|member| member.given.clone()).collect())
    }

    /// Replaces all members.
    pub fn value_set_write(&mut self, name: &str, members: &[Vec<Match>]) -> Result {
        let position = self.value_set_position(name)?;
        let set = &mut self.state.value_sets[position];
        if members.len() > set.size {
            let (given, size) = (members.len(), set.size);
            return Err(invalid(KIND, name, format!("{given} members; valid: up to {size}")));
        }
        let members = members
            .iter()
            .map(|member| member_from(set, member).map_err(|reason| invalid(KIND, name, reason)));
        set.members = members.collect::<Result<_, _>>()?;
        Ok(())
    }

    fn value_set_position(&self, name: &str) -> Result<usize> {
        position(KIND, &self.state.value_sets, |set| &set.name, name)
    }
}

fn member_from(set: &ValueSet, given: &[Match]) -> Result<Member, String> {
    if given.len() != set.widths.len() {
        return Err(format!("a member of {} fields; valid: {}", given.len(), set.widths.len()));
    }
    let fields = set.widths.iter().zip(given);
    let conditions = fields.map(|(&bits, given)| condition(bits, given));
    Ok(Member { conditions: conditions.collect::<Result<_, _>>()?, given: given.to_vec() })
}

fn condition(bits: u32, given: &Match) -> Result<Condition, String> {
    Ok(match match_from(given, bits)? {
        FieldMatch::Range { low, high } => Condition::Range { low, high },
        masked => Condition::Masked { value: masked.value(bits), mask: masked.mask(bits) },
    })
}
