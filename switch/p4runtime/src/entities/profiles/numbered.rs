//! Members and groups of profiles, by their ids.

use std::ops::RangeInclusive;
use std::sync::Arc;

use pipeline::Control;

use super::super::cursor::{Cursor, Part};
use crate::messages::runtime::Entity;
use crate::plane::Plane;
use crate::program::ActionProfile;
use crate::status::Result;

/// Adds those of a profile that have such ids, at most so many. Tells the id to go on from, if any.
type Tell = fn(
    &Control<'_>,
    &ActionProfile,
    RangeInclusive<u32>,
    usize,
    &mut Vec<Entity>,
) -> Result<Option<u32>>;

/// What a request finds: one of a profile by its id, or (id 0) all of it, or (profile id 0) of all.
#[derive(Debug)]
pub(super) struct Numbered {
    profiles: Vec<Arc<ActionProfile>>,
    /// The present one, and the ids in it that are still to be told.
    position: usize,
    ids: RangeInclusive<u32>,
    tell: Tell,
}

impl Numbered {
    pub(super) fn boxed(
        plane: &Plane<'_>,
        profile: u32,
        id: u32,
        tell: Tell,
    ) -> Result<Box<dyn Cursor>> {
        if profile == 0 && id != 0 {
            return Err(invalid!("a read of all action profiles cannot have a member or group id"));
        }
        let profiles = plane.program.profiles.wanted(profile)?;
        let ids = if id == 0 { 0..=u32::MAX } else { id..=id };
        Ok(Box::new(Numbered { profiles, position: 0, ids, tell }))
    }
}

impl Cursor for Numbered {
    fn next(&mut self, plane: &mut Plane<'_>, part: &mut Part) -> Result<bool> {
        let Some(profile) = self.profiles.get(self.position) else { return Ok(false) };
        let (before, most) = (part.found.len(), part.entries());
        let next =
            (self.tell)(&plane.engine.control, profile, self.ids.clone(), most, &mut part.found)?;
        part.spend_entries((part.found.len() - before).max(1));
        // All profiles are asked for all ids.
        self.ids = next.unwrap_or(0)..=*self.ids.end();
        self.position += usize::from(next.is_none());
        Ok(self.position < self.profiles.len())
    }
}
