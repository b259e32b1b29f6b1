//! Parser value sets (P4Runtime 1.5, section 9.6).

use std::collections::HashSet;
use std::sync::Arc;

use super::change::{check_modified, Change};
use super::cursor::{Cursor, Part};
use crate::messages::runtime::{Entity, ValueSetEntry, ValueSetMember};
use crate::plane::Plane;
use crate::program::ValueSet;
use crate::status::Result;
use crate::values::key;

/// Replaces all members of a set.
pub(super) fn write(plane: &mut Plane<'_>, change: Change, entry: &ValueSetEntry) -> Result {
    let set = plane.program.value_sets.find(entry.value_set_id)?;
    check_modified(set, change)?;
    let members = entry.members.iter().map(|member| key::to_engine(set.as_ref(), &member.key));
    let members = members.collect::<Result<Vec<_>, _>>()?;
    if members.iter().collect::<HashSet<_>>().len() < members.len() {
        return Err(refusal!(AlreadyExists, "{set} is given a member twice"));
    }
    if i64::from(set.size) < members.len() as i64 {
        let given = members.len();
        return Err(refusal!(
            ResourceExhausted,
            "{set} is given {given} members; it holds {}",
            set.size
        ));
    }
    plane.engine.control.value_set_write(&set.name, &members)?;
    Ok(())
}

/// A set with its members; id 0 is every set.
pub(super) fn read(plane: &mut Plane<'_>, wanted: &ValueSetEntry) -> Result<Box<dyn Cursor>> {
    let mut sets = plane.program.value_sets.wanted(wanted.value_set_id)?;
    sets.reverse();
    Ok(Box::new(Sets(sets)))
}

/// The sets that a request finds and that are still to be told, the next one last.
#[derive(Debug)]
struct Sets(Vec<Arc<ValueSet>>);

impl Cursor for Sets {
    fn next(&mut self, plane: &mut Plane<'_>, part: &mut Part) -> Result<bool> {
        let Some(set) = self.0.pop() else { return Ok(false) };
        let members = plane.engine.control.value_set_read(&set.name)?;
        part.spend_entries(1 + members.len());
        let member = |member: &Vec<_>| ValueSetMember { key: key::messages(set.as_ref(), member) };
        part.found.push(Entity::ValueSet(ValueSetEntry {
            value_set_id: set.id,
            members: members.iter().map(member).collect(),
        }));
        Ok(!self.0.is_empty())
    }
}
