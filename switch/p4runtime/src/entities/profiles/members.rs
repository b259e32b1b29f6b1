//! Members of action profiles (P4Runtime 1.5, section 9.2.1).

use std::ops::RangeInclusive;
use std::sync::Arc;

use pipeline::{Control, ControlError, ProfileMember, TableAction};

use super::super::change::Change;
use super::super::cursor::Cursor;
use super::numbered::Numbered;
use crate::messages::runtime::{ActionProfileMember, Entity};
use crate::plane::Plane;
use crate::program::objects::listed;
use crate::program::ActionProfile;
use crate::status::{Error, Result};
use crate::values::actions;

/// Applies one update, or changes nothing.
pub(crate) fn write(plane: &mut Plane<'_>, change: Change, entry: &ActionProfileMember) -> Result {
    let profile = plane.program.profiles.find(entry.action_profile_id)?;
    check_id(profile, "member", entry.member_id)?;
    let (name, id) = (&profile.name, entry.member_id);
    let control = &mut plane.engine.control;
    if change == Change::Delete {
        return Ok(control.profile_member_delete(name, id)?);
    }
    let given = entry.action.clone().unwrap_or_default();
    let Some(action) = profile.actions.iter().find(|known| known.id == given.action_id) else {
        let valid = profile.actions.iter().map(|known| (known.id, known.name.as_str()));
        return Err(invalid!(
            "action profile {name} has no action {:#010x}; valid: {}",
            given.action_id,
            listed(valid)
        ));
    };
    let call = actions::call(action, &given)?;
    let written = match change {
        Change::Modify => control.profile_member_modify(name, id, &call),
        _ => control.profile_member_insert(name, id, &call),
    };
    written.map_err(|error| told_of_one_shots(plane, profile, error))
}

/// The members asked for: profile id 0 is every profile, member id 0 all of its members.
pub(crate) fn read(plane: &mut Plane<'_>, wanted: &ActionProfileMember) -> Result<Box<dyn Cursor>> {
    Numbered::boxed(plane, wanted.action_profile_id, wanted.member_id, tell)
}

fn tell(
    control: &Control<'_>,
    profile: &ActionProfile,
    ids: RangeInclusive<u32>,
    most: usize,
    found: &mut Vec<Entity>,
) -> Result<Option<u32>> {
    let mut members = control.profile_members_within(&profile.name, ids)?;
    found.extend(members.by_ref().take(most).map(|member| message(profile, &member)));
    Ok(members.next().map(|member| member.id))
}

fn message(profile: &ActionProfile, member: &ProfileMember) -> Entity {
    let action = profile.actions.iter().find(|known| known.name == member.action.name);
    Entity::Member(ActionProfileMember {
        action_profile_id: profile.id,
        member_id: member.id,
        action: action.map(|known| actions::call_message(known, &member.action.arguments)),
    })
}

pub(crate) fn check_id(profile: &ActionProfile, kind: &str, number: u32) -> Result {
    match number {
        0 => Err(invalid!(
            "action profile {}: 0 is no {kind} id; valid: 1 to 2^32 - 1",
            profile.name
        )),
        _ => Ok(()),
    }
}

/// A selector's tables are programmed in one way only: one-shots rule members out. Which table has
/// them is found out for the message alone.
pub(super) fn told_of_one_shots(
    plane: &Plane<'_>,
    profile: &ActionProfile,
    error: ControlError,
) -> Error {
    let control = &plane.engine.control;
    let has_one_shots = |name: &str| {
        let entries = control.table_entries(name).unwrap_or_default();
        entries.iter().any(|entry| matches!(entry.action, TableAction::OneShot(_)))
    };
    let is_of = |table: &&Arc<crate::program::Table>| {
        table.profile.as_ref().is_some_and(|known| known.id == profile.id)
    };
    let is_about_them = matches!(error, ControlError::InvalidArgument { .. });
    let mut tables = plane.program.tables.compiled().filter(is_of);
    match tables.find(|table| is_about_them && has_one_shots(&table.name)) {
        Some(table) => invalid!(
            "{table} has entries with one-shot action sets: its action selector {} takes no members",
            profile.name
        ),
        None => error.into(),
    }
}
