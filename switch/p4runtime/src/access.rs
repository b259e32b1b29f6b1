//! What a role may see and change (P4Runtime 1.5, section 5.2), as far as it is about objects.

use std::collections::{BTreeMap, BTreeSet};

use crate::entities;
use crate::messages::runtime::Entity;
use crate::program::Program;
use crate::status::Result;

/// The rights of a role. The default has full access, but for what other roles have to themselves.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// The role's name; empty: the default role.
    pub role: String,
    /// The ids of objects that the role may write and read; none: all.
    pub own: Option<BTreeSet<u32>>,
    /// The ids of objects that other roles have to themselves, with those roles' names.
    pub of_others: BTreeMap<u32, String>,
}

impl Access {
    /// Whether the role may write an entity, and is told of it when it reads by role.
    pub(crate) fn covers(&self, entity: &Entity) -> bool {
        self.has(entities::object(entity).1)
    }

    /// Likewise of an object.
    pub fn has(&self, id: u32) -> bool {
        self.own.as_ref().is_none_or(|own| own.contains(&id)) && !self.of_others.contains_key(&id)
    }

    pub(crate) fn check_write(&self, program: &Program, entity: &Entity) -> Result {
        if self.covers(entity) {
            return Ok(());
        }
        let (kind, id) = entities::object(entity);
        let what = match id {
            0 => format!("{kind}, which has no object"),
            _ => format!("{kind} of {}", program.name_of(id)),
        };
        let reason = match self.of_others.get(&id) {
            Some(other) => format!("it is exclusive to {}", role_named(other)),
            None => "its config has the id neither in exclusive_p4_ids nor in shared_p4_ids".into(),
        };
        let role = role_named(&self.role);
        Err(refusal!(PermissionDenied, "{role} may not write {what}: {reason}"))
    }
}

/// A role as messages call it; empty: the default role.
pub fn role_named(role: &str) -> String {
    match role {
        "" => "the default role".to_owned(),
        name => format!("role {name}"),
    }
}
