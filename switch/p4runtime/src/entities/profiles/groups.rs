//! Groups of action selectors (P4Runtime 1.5, section 9.2.2).

use std::collections::HashSet;
use std::ops::RangeInclusive;

use pipeline::{Control, GroupMember, ProfileGroup};

use super::super::change::Change;
use super::super::cursor::Cursor;
use super::members::check_id;
use super::numbered::Numbered;
use crate::messages::runtime::{ActionProfileGroup, Entity, GroupMember as MemberMessage};
use crate::plane::Plane;
use crate::program::ActionProfile;
use crate::status::Result;
use crate::values::weights::{self, LARGEST_GROUP};

/// Applies one update, or changes nothing.
pub(crate) fn write(plane: &mut Plane<'_>, change: Change, entry: &ActionProfileGroup) -> Result {
    let profile = plane.program.profiles.find(entry.action_profile_id)?;
    let (name, id) = (&profile.name, entry.group_id);
    if !profile.has_selector {
        return Err(invalid!("action profile {name} has no selector, and so no groups"));
    }
    check_id(profile, "group", id)?;
    if change == Change::Delete {
        return Ok(plane.engine.control.profile_group_delete(name, id)?);
    }
    let members = members(plane, profile, entry)?;
    let control = &mut plane.engine.control;
    if change == Change::Modify {
        let most = max_size(&control.profile_group(name, id)?);
        if entry.max_size != most {
            return Err(invalid!(
                "group {id} of {name} has max_size {most}; it cannot become {}",
                entry.max_size
            ));
        }
        return Ok(control.profile_group_modify(name, id, 0, &members)?);
    }
    control.profile_group_insert(name, id, 0, &members)?;
    control.profile_group_attach(name, id, kept(entry.max_size))?;
    Ok(())
}

/// The groups asked for: profile id 0 is every selector, group id 0 all of its groups.
pub(crate) fn read(plane: &mut Plane<'_>, given: &ActionProfileGroup) -> Result<Box<dyn Cursor>> {
    Numbered::boxed(plane, given.action_profile_id, given.group_id, tell)
}

fn tell(
    control: &Control<'_>,
    profile: &ActionProfile,
    ids: RangeInclusive<u32>,
    most: usize,
    found: &mut Vec<Entity>,
) -> Result<Option<u32>> {
    let mut groups = control.profile_groups_within(&profile.name, ids)?;
    found.extend(groups.by_ref().take(most).map(|group| message(profile, &group)));
    Ok(groups.next().map(|group| group.id))
}

/// The maximum that a group was made with, as the engine keeps it: the engine's own counts weights,
/// P4Runtime's, for some selectors, members.
fn kept(max_size: i32) -> Box<[u8]> {
    match max_size {
        0 => Box::default(),
        _ => Box::new(max_size.to_be_bytes()),
    }
}

/// What a group was made with. Made over Thrift, it has no bound: 0.
fn max_size(group: &ProfileGroup) -> i32 {
    group.metadata.as_ref().try_into().map_or(0, i32::from_be_bytes)
}

fn message(profile: &ActionProfile, group: &ProfileGroup) -> Entity {
    let member = |member: &GroupMember| MemberMessage {
        member_id: member.member_id,
        weight: weights::from_engine(profile, member.weight),
        watch_kind: weights::watch_kind(profile, member.watch_port),
    };
    Entity::Group(ActionProfileGroup {
        action_profile_id: profile.id,
        group_id: group.id,
        members: group.members.iter().map(member).collect(),
        max_size: max_size(group),
    })
}

fn members(
    plane: &Plane<'_>,
    profile: &ActionProfile,
    entry: &ActionProfileGroup,
) -> Result<Vec<GroupMember>> {
    let what = format!("group {} of {}", entry.group_id, profile.name);
    let ids: HashSet<u32> = entry.members.iter().map(|member| member.member_id).collect();
    if ids.len() < entry.members.len() {
        return Err(invalid!("{what} is given a member twice; give it a weight"));
    }
    let given: Vec<i32> = entry.members.iter().map(|member| member.weight).collect();
    weights::check_members(profile, &given)?;
    check_max_size(profile, &what, entry.max_size)?;
    let size = weights::group_size(profile, &given);
    let most = entry.max_size;
    if 0 < most && i64::from(most) < size {
        return Err(refusal!(ResourceExhausted, "{what} has size {size}; it holds {most}"));
    }
    let member = |member: &MemberMessage| {
        let watch_port = weights::watch_port(profile, &what, member.watch_kind.as_ref())?;
        if let Some(port) = watch_port {
            plane.engine.check_port(port)?;
        }
        let weight = weights::to_engine(profile, member.weight);
        Ok(GroupMember { member_id: member.member_id, weight, watch_port })
    };
    entry.members.iter().map(member).collect()
}

/// Section 9.2.2.1.
fn check_max_size(profile: &ActionProfile, what: &str, max_size: i32) -> Result {
    let highest = profile.max_group_size;
    if max_size < 0 || (highest != 0 && !(1..=highest).contains(&max_size)) {
        let valid = match highest {
            0 => "at least 0".to_owned(),
            _ => format!("1 to {highest}"),
        };
        return Err(invalid!("{what} has max_size {max_size}; valid: {valid}"));
    }
    match max_size > LARGEST_GROUP {
        true => Err(refusal!(
            ResourceExhausted,
            "{what} has max_size {max_size}; the switch has groups of up to {LARGEST_GROUP}"
        )),
        false => Ok(()),
    }
}
