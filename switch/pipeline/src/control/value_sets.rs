//! Parser value sets.

use super::conversion::{check_masked, check_range, number};
use super::{invalid, position, Control, Result};
use crate::numbers::bits;
use crate::state::{Condition, Member, ValueSet};
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
    Ok(match given {
        Match::Exact(value) => {
            Condition::Masked { value: number(value, bits)?, mask: bits::ones(bits) }
        }
        Match::Lpm { value, prefix_length } => {
            if *prefix_length > bits {
                return Err(format!("prefix length {prefix_length}; valid: 0 to {bits}"));
            }
            masked(number(value, bits)?, bits::prefix_mask(bits, *prefix_length))?
        }
        Match::Ternary { value, mask } => masked(number(value, bits)?, number(mask, bits)?)?,
        Match::Range { low, high } => {
            let (low, high) = (number(low, bits)?, number(high, bits)?);
            check_range(&low, &high)?;
            Condition::Range { low, high }
        }
        Match::Any => {
            let zero = vec![0; bits::limbs_for(bits)];
            Condition::Masked { value: zero.clone(), mask: zero }
        }
    })
}

fn masked(value: Vec<u64>, mask: Vec<u64>) -> Result<Condition, String> {
    check_masked(&value, &mask)?;
    Ok(Condition::Masked { value, mask })
}
