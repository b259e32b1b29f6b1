//! Action profiles, and what entries do through them.

use std::ops::RangeInclusive;

use super::conversion::{action_of, call_from};
use super::{invalid, position, Control, Result};
use crate::table::{Profile, Table, Target, WeightedCall};
use crate::types::{
    ActionCall, GroupMember, ProfileGroup, ProfileInfo, ProfileMember, TableAction, WeightedAction,
};

const KIND: &str = "action profile";

impl Control<'_> {
    /// The program's action profiles.
    pub fn profiles(&self) -> Vec<ProfileInfo> {
        let info = |profile: &Profile| ProfileInfo {
            name: profile.name.clone(),
            size: profile.size,
            with_selector: profile.selector.is_some(),
            actions: profile.actions.clone(),
        };
        self.state.profiles.iter().map(info).collect()
    }

    /// Adds a member.
    pub fn profile_member_insert(&mut self, profile: &str, id: u32, action: &ActionCall) -> Result {
        let profile = self.profile_mut(profile)?;
        let call = call_from(&profile.actions, action)?;
        profile.insert_member(id, call)
    }

    /// Gives a member another action, in all groups and entries that refer to it.
    pub fn profile_member_modify(&mut self, profile: &str, id: u32, action: &ActionCall) -> Result {
        let profile = self.profile_mut(profile)?;
        let call = call_from(&profile.actions, action)?;
        profile.modify_member(id, call)
    }

    /// Removes a member that no entry and no group refers to.
    pub fn profile_member_delete(&mut self, profile: &str, id: u32) -> Result {
        self.profile_mut(profile)?.delete_member(id)
    }

    /// The members with some ids, by ascending ids.
    pub fn profile_members_within(
        &self,
        profile: &str,
        ids: RangeInclusive<u32>,
    ) -> Result<impl Iterator<Item = ProfileMember> + '_> {
        let profile = self.profile(profile)?;
        let member = |(id, call)| ProfileMember { id, action: action_of(&profile.actions, call) };
        Ok(profile.members(ids).map(member))
    }

    /// Whether there is a member.
    pub fn profile_has_members(&self, profile: &str) -> Result<bool> {
        Ok(self.profile(profile)?.members(0..=u32::MAX).next().is_some())
    }

    /// Adds a group of members. `max_size` bounds the sum of weights; 0: no bound of its own.
    pub fn profile_group_insert(
        &mut self,
        profile: &str,
        id: u32,
        max_size: u32,
        members: &[GroupMember],
    ) -> Result {
        self.profile_mut(profile)?.insert_group(id, max_size, members.to_vec())
    }

    /// Replaces a group's members; its `max_size` must be the one it was made with.
    pub fn profile_group_modify(
        &mut self,
        profile: &str,
        id: u32,
        max_size: u32,
        members: &[GroupMember],
    ) -> Result {
        self.profile_mut(profile)?.modify_group(id, max_size, members.to_vec())
    }

    /// Removes a group that no entry refers to.
    pub fn profile_group_delete(&mut self, profile: &str, id: u32) -> Result {
        self.profile_mut(profile)?.delete_group(id)
    }

    /// The groups with some ids, by ascending ids.
    pub fn profile_groups_within(
        &self,
        profile: &str,
        ids: RangeInclusive<u32>,
    ) -> Result<impl Iterator<Item = ProfileGroup> + '_> {
        Ok(self.profile(profile)?.groups(ids))
    }

    /// One group.
    pub fn profile_group(&self, profile: &str, id: u32) -> Result<ProfileGroup> {
        self.profile(profile)?.group(id)
    }

    /// Attaches something to a group, in the place of what there was. It means nothing here, and
    /// goes with the group.
    pub fn profile_group_attach(&mut self, profile: &str, id: u32, metadata: Box<[u8]>) -> Result {
        self.profile_mut(profile)?.attach(id, metadata)
    }

    fn profile(&self, name: &str) -> Result<&Profile> {
        Ok(&self.state.profiles[self.profile_position(name)?])
    }

    fn profile_mut(&mut self, name: &str) -> Result<&mut Profile> {
        let position = self.profile_position(name)?;
        Ok(&mut self.state.profiles[position])
    }

    fn profile_position(&self, name: &str) -> Result<usize> {
        position(KIND, &self.state.profiles, |profile| &profile.name, name)
    }

    /// What an ordinary entry of a table is to do. The target must be used or released.
    pub(super) fn entry_target(&mut self, table: usize, action: &TableAction) -> Result<Target> {
        let described = &self.state.tables[table];
        match (described.profile, action) {
            (Some(profile), TableAction::Call(_)) => {
                let profile = &self.state.profiles[usize::from(profile)].name;
                Err(invalid(
                    "table",
                    &described.name,
                    format!("an action given; valid: members and groups of {KIND} {profile}"),
                ))
            }
            _ => self.default_target(table, action),
        }
    }

    /// What the default entry of a table is to do. The target must be used or released.
    pub(super) fn default_target(&mut self, table: usize, action: &TableAction) -> Result<Target> {
        let table = &self.state.tables[table];
        if let TableAction::Call(call) = action {
            return Ok(Target::Call(call_from(&table.actions, call)?));
        }
        let Some(profile) = table.profile else {
            let reason = "it has no action profile; valid: an action";
            return Err(invalid("table", &table.name, reason));
        };
        let profile = &mut self.state.profiles[usize::from(profile)];
        match action {
            TableAction::Call(_) => unreachable!("handled above"),
            TableAction::Member(id) => {
                profile.hold_member(*id).map(|copy| Target::Member { id: *id, copy })
            }
            TableAction::Group(id) => {
                profile.hold_group(*id).map(|number| Target::Group { id: *id, number })
            }
            TableAction::OneShot(actions) => {
                let actions = weighted_calls(profile, actions)?;
                let number = profile.insert_one_shot(&actions);
                number.map(|number| Target::OneShot { actions, number })
            }
        }
    }

    /// Lets go of what an entry did.
    pub(super) fn release(&mut self, table: usize, target: Target) {
        let Some(profile) = self.state.tables[table].profile else { return };
        let profile = &mut self.state.profiles[usize::from(profile)];
        match target {
            Target::Call(_) => {}
            Target::Member { id, .. } => profile.release_member(id),
            Target::Group { number, .. } => profile.release_group(number),
            Target::OneShot { number, .. } => profile.delete_one_shot(number),
        }
    }

    /// What an entry does, as the control plane wrote it.
    pub(super) fn action_of_target(&self, table: &Table, target: &Target) -> TableAction {
        match target {
            Target::Call(call) => TableAction::Call(action_of(&table.actions, call)),
            Target::Member { id, .. } => TableAction::Member(*id),
            Target::Group { id, .. } => TableAction::Group(*id),
            Target::OneShot { actions, .. } => {
                let action = |action: &WeightedCall| WeightedAction {
                    action: action_of(&table.actions, &action.call),
                    weight: action.weight,
                    watch_port: action.watch_port,
                };
                TableAction::OneShot(actions.iter().map(action).collect())
            }
        }
    }
}

fn weighted_calls(profile: &Profile, actions: &[WeightedAction]) -> Result<Vec<WeightedCall>> {
    let call = |action: &WeightedAction| {
        Ok(WeightedCall {
            call: call_from(&profile.actions, &action.action)?,
            weight: action.weight,
            watch_port: action.watch_port,
        })
    };
    actions.iter().map(call).collect()
}
