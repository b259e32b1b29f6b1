//! Action profiles: members and groups of them that the entries of one or more tables refer to.
//!
//! A member of weight n is n copies of it. The copies are numbered and chosen as BMv2 and its
//! P4Runtime server do it, so that the same requests send the same packet to the same member.

use super::action::{Call, CopyNumber, GroupNumber, WeightedCall};
use super::slab::Slab;
use crate::error::ControlError;
use crate::types::{ActionInfo, GroupMember, ProfileGroup};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// The most copies of members in one group.
pub(crate) const GROUP_WEIGHT_MAX: u32 = 1 << 16;

/// An action profile or selector.
#[derive(Debug)]
pub(crate) struct Profile {
    pub(crate) name: String,
    /// The most members that it holds; 0: any number.
    pub(crate) size: usize,
    /// The calculation that chooses from groups; a profile without one has no groups.
    pub(crate) selector: Option<u16>,
    pub(crate) actions: Vec<ActionInfo>,
    members: BTreeMap<u32, Member>,
    group_numbers: BTreeMap<u32, GroupNumber>,
    calls: Slab<Call>,
    groups: Slab<Group>,
    down_ports: BTreeSet<u16>,
}

/// A member that the control plane made.
#[derive(Debug)]
struct Member {
    call: Call,
    /// One, or as many as the largest weight that it has in a group.
    copies: Vec<CopyNumber>,
    /// Its weights in groups, and how often each occurs.
    weights: BTreeMap<u32, usize>,
    /// How many entries refer to it.
    entries: usize,
}

/// A group, or the members of a one-shot entry.
#[derive(Debug)]
struct Group {
    max_size: u32,
    /// As the control plane gave them; none in a one-shot entry.
    members: Vec<GroupMember>,
    shares: Vec<Share>,
    /// The copies that can be chosen, in ascending order.
    alive: Vec<CopyNumber>,
    /// How many entries refer to it.
    entries: usize,
    /// What the control plane attached to it.
    metadata: Box<[u8]>,
}

/// The copies of one member in a group.
#[derive(Debug)]
struct Share {
    copies: Vec<CopyNumber>,
    watch_port: Option<u16>,
}

/// A change that is refused has changed nothing.
type Result<T = (), E = ControlError> = std::result::Result<T, E>;

impl Profile {
    pub(crate) fn new(name: String, size: usize, selector: Option<u16>) -> Profile {
        Profile {
            name,
            size,
            selector,
            actions: Vec::new(),
            members: BTreeMap::new(),
            group_numbers: BTreeMap::new(),
            calls: Slab::new(),
            groups: Slab::new(),
            down_ports: BTreeSet::new(),
        }
    }

    /// The call of a member's copy.
    #[inline]
    pub(crate) fn call(&self, copy: CopyNumber) -> Option<&Call> {
        self.calls.get(copy)
    }

    /// The call that a hash chooses from a group; none if the group is empty.
    #[inline]
    pub(crate) fn choose(&self, group: GroupNumber, hash: u64) -> Option<&Call> {
        let alive = &self.groups.get(group)?.alive;
        // BMv2 keeps 32 bits of the hash.
        let position = (hash as u32 as usize).checked_rem(alive.len())?;
        self.calls.get(alive[position])
    }

    // Members.

    pub(crate) fn insert_member(&mut self, id: u32, call: Call) -> Result {
        self.refuse_one_shots()?;
        if self.members.contains_key(&id) {
            return Err(exists(&self.name, "member", id));
        }
        if self.size > 0 && self.members.len() >= self.size {
            return Err(ControlError::Full {
                object: title(&self.name),
                what: "members",
                size: self.size,
            });
        }
        let copies = vec![self.calls.insert(call.clone())];
        let member = Member { call, copies, weights: BTreeMap::new(), entries: 0 };
        self.members.insert(id, member);
        Ok(())
    }

    pub(crate) fn modify_member(&mut self, id: u32, call: Call) -> Result {
        let member = self.members.get_mut(&id).ok_or_else(|| missing(&self.name, "member", id))?;
        for &copy in &member.copies {
            if let Some(known) = self.calls.get_mut(copy) {
                known.clone_from(&call);
            }
        }
        member.call = call;
        Ok(())
    }

    pub(crate) fn delete_member(&mut self, id: u32) -> Result {
        let member = self.members.get(&id).ok_or_else(|| missing(&self.name, "member", id))?;
        if member.entries > 0 || !member.weights.is_empty() {
            return Err(in_use(&self.name, "member", id, "groups or entries"));
        }
        for &copy in &member.copies {
            self.calls.remove(copy);
        }
        self.members.remove(&id);
        Ok(())
    }

    /// All members by their ids.
    pub(crate) fn members(&self, ids: RangeInclusive<u32>) -> impl Iterator<Item = (u32, &Call)> {
        self.members.range(ids).map(|(&id, member)| (id, &member.call))
    }

    /// The copy that an entry runs; the entry counts as a user of the member from now on.
    pub(crate) fn hold_member(&mut self, id: u32) -> Result<CopyNumber> {
        let member = self.members.get_mut(&id).ok_or_else(|| missing(&self.name, "member", id))?;
        member.entries += 1;
        Ok(member.copies[0])
    }

    pub(crate) fn release_member(&mut self, id: u32) {
        if let Some(member) = self.members.get_mut(&id) {
            member.entries -= 1;
        }
    }

    // Groups.

    pub(crate) fn insert_group(
        &mut self,
        id: u32,
        max_size: u32,
        members: Vec<GroupMember>,
    ) -> Result {
        self.refuse_one_shots()?;
        if self.selector.is_none() {
            return Err(no_selector(&self.name));
        }
        if self.group_numbers.contains_key(&id) {
            return Err(exists(&self.name, "group", id));
        }
        self.check_group(max_size, &members)?;
        let group = Group {
            max_size,
            members: vec![],
            shares: vec![],
            alive: vec![],
            entries: 0,
            metadata: Box::default(),
        };
        let number = self.groups.insert(group);
        self.group_numbers.insert(id, number);
        self.set_members(number, members);
        Ok(())
    }

    /// Replaces a group's members.
    pub(crate) fn modify_group(
        &mut self,
        id: u32,
        max_size: u32,
        members: Vec<GroupMember>,
    ) -> Result {
        let number = self.group_number(id)?;
        let from = self.groups.get(number).map_or(0, |group| group.max_size);
        if from != max_size {
            let reason = format!("max_size of a group changed to {max_size}; valid: {from}");
            return Err(invalid(&self.name, reason));
        }
        self.check_group(max_size, &members)?;
        self.set_members(number, members);
        Ok(())
    }

    pub(crate) fn delete_group(&mut self, id: u32) -> Result {
        let number = self.group_number(id)?;
        if self.groups.get(number).is_some_and(|group| group.entries > 0) {
            return Err(in_use(&self.name, "group", id, "entries"));
        }
        self.set_members(number, Vec::new());
        self.groups.remove(number);
        self.group_numbers.remove(&id);
        Ok(())
    }

    /// All groups by their ids.
    pub(crate) fn groups(
        &self,
        ids: RangeInclusive<u32>,
    ) -> impl Iterator<Item = ProfileGroup> + '_ {
        self.group_numbers.range(ids).filter_map(|(&id, _)| self.group(id).ok())
    }

    pub(crate) fn group(&self, id: u32) -> Result<ProfileGroup> {
        let group = self.groups.get(self.group_number(id)?);
        let group = group.ok_or_else(|| missing(&self.name, "group", id))?;
        Ok(ProfileGroup {
            id,
            max_size: group.max_size,
            members: group.members.clone(),
            metadata: group.metadata.clone(),
        })
    }

    /// Attaches something to a group, in the place of what there was.
    pub(crate) fn attach(&mut self, id: u32, metadata: Box<[u8]>) -> Result {
        let number = self.group_number(id)?;
        if let Some(group) = self.groups.get_mut(number) {
            group.metadata = metadata;
        }
        Ok(())
    }

    /// The number of a group that an entry refers to from now on.
    pub(crate) fn hold_group(&mut self, id: u32) -> Result<GroupNumber> {
        let number = self.group_number(id)?;
        if let Some(group) = self.groups.get_mut(number) {
            group.entries += 1;
        }
        Ok(number)
    }

    pub(crate) fn release_group(&mut self, number: GroupNumber) {
        if let Some(group) = self.groups.get_mut(number) {
            group.entries -= 1;
        }
    }

    fn group_number(&self, id: u32) -> Result<GroupNumber> {
        self.group_numbers.get(&id).copied().ok_or_else(|| missing(&self.name, "group", id))
    }

    fn check_group(&self, max_size: u32, members: &[GroupMember]) -> Result {
        check_weights(&self.name, max_size, members.iter().map(|member| member.weight))?;
        let mut seen = BTreeSet::new();
        for member in members {
            let id = member.member_id;
            if !self.members.contains_key(&id) {
                return Err(missing(&self.name, "member", id));
            }
            if !seen.insert(id) {
                let reason = format!("member {id} twice in a group; use weights");
                return Err(invalid(&self.name, reason));
            }
        }
        Ok(())
    }

    /// Gives a group other members, and members as many copies as their weights need.
    fn set_members(&mut self, number: GroupNumber, members: Vec<GroupMember>) {
        let Some(group) = self.groups.get_mut(number) else { return };
        let before = std::mem::replace(&mut group.members, members.clone());
        let mut weights: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        for member in &before {
            weights.entry(member.member_id).or_default().0 = member.weight;
        }
        for member in &members {
            weights.entry(member.member_id).or_default().1 = member.weight;
        }
        // New copies come before those that nobody needs any more go.
        for (&id, &(old, new)) in &weights {
            let Some(member) = self.members.get_mut(&id) else { continue };
            member.change_weight(old, new);
            while member.copies.len() < new as usize {
                member.copies.push(self.calls.insert(member.call.clone()));
            }
        }
        for id in weights.keys() {
            let Some(member) = self.members.get_mut(id) else { continue };
            let needed = member.weights.keys().next_back().copied().unwrap_or(1);
            for copy in member.copies.drain(needed as usize..).rev() {
                self.calls.remove(copy);
            }
        }
        let share = |member: &GroupMember| Share {
            copies: self.members[&member.member_id].copies[..member.weight as usize].to_vec(),
            watch_port: member.watch_port,
        };
        let shares = members.iter().map(share).collect();
        if let Some(group) = self.groups.get_mut(number) {
            group.shares = shares;
            group.update(&self.down_ports);
        }
    }

    // One-shot entries.

    /// Makes the members of a one-shot entry.
    pub(crate) fn insert_one_shot(&mut self, actions: &[WeightedCall]) -> Result<GroupNumber> {
        if self.selector.is_none() {
            return Err(no_selector(&self.name));
        }
        if !self.members.is_empty() || !self.group_numbers.is_empty() {
            return Err(mixed(&self.name));
        }
        check_weights(&self.name, 0, actions.iter().map(|action| action.weight))?;
        let mut shares = Vec::new();
        for action in actions {
            let copies = (0..action.weight).map(|_| self.calls.insert(action.call.clone()));
            shares.push(Share { copies: copies.collect(), watch_port: action.watch_port });
        }
        let mut group = Group {
            max_size: 0,
            members: vec![],
            shares,
            alive: vec![],
            entries: 1,
            metadata: Box::default(),
        };
        group.update(&self.down_ports);
        Ok(self.groups.insert(group))
    }

    pub(crate) fn delete_one_shot(&mut self, number: GroupNumber) {
        if let Some(group) = self.groups.remove(number) {
            for copy in group.shares.into_iter().flat_map(|share| share.copies) {
                self.calls.remove(copy);
            }
        }
    }

    fn refuse_one_shots(&self) -> Result {
        match self.groups.len() > self.group_numbers.len() {
            true => Err(mixed(&self.name)),
            false => Ok(()),
        }
    }

    /// Tells whether a port is up: members that watch it take part only then.
    pub(crate) fn set_port_up(&mut self, port: u16, up: bool) {
        let changed = match up {
            true => self.down_ports.remove(&port),
            false => self.down_ports.insert(port),
        };
        if changed {
            self.groups.iter_mut().for_each(|(_, group)| group.update(&self.down_ports));
        }
    }
}

impl Member {
    fn change_weight(&mut self, old: u32, new: u32) {
        if let Some(count) = self.weights.get_mut(&old) {
            *count -= 1;
            if *count == 0 {
                self.weights.remove(&old);
            }
        }
        if new > 0 {
            *self.weights.entry(new).or_default() += 1;
        }
    }
}

impl Group {
    /// Finds the copies that can be chosen.
    fn update(&mut self, down_ports: &BTreeSet<u16>) {
        let up = |share: &&Share| share.watch_port.is_none_or(|port| !down_ports.contains(&port));
        self.alive.clear();
        self.alive.extend(self.shares.iter().filter(up).flat_map(|share| &share.copies));
        self.alive.sort_unstable();
    }
}

fn check_weights(name: &str, max_size: u32, weights: impl Iterator<Item = u32>) -> Result {
    let max_size = if max_size == 0 { GROUP_WEIGHT_MAX } else { max_size.min(GROUP_WEIGHT_MAX) };
    let mut size = 0u32;
    for weight in weights {
        if weight == 0 {
            let reason = format!("weight 0; valid: 1 to {GROUP_WEIGHT_MAX}");
            return Err(invalid(name, reason));
        }
        size = size.saturating_add(weight);
    }
    match size <= max_size {
        true => Ok(()),
        false => Err(ControlError::Full {
            object: format!("a group of {}", title(name)),
            what: "members, by their weights",
            size: max_size as usize,
        }),
    }
}

fn title(name: &str) -> String {
    format!("action profile {name}")
}

fn invalid(name: &str, reason: impl Into<String>) -> ControlError {
    ControlError::InvalidArgument { object: title(name), reason: reason.into() }
}

fn mixed(name: &str) -> ControlError {
    invalid(name, "its tables use either members and groups or one-shot entries, not both")
}

fn no_selector(name: &str) -> ControlError {
    invalid(name, "it is not a selector and has no groups; valid: members")
}

fn missing(name: &str, kind: &str, id: u32) -> ControlError {
    ControlError::NotFound { object: title(name), what: format!("{kind} {id}") }
}

fn exists(name: &str, kind: &str, id: u32) -> ControlError {
    ControlError::AlreadyExists { object: title(name), what: format!("{kind} {id}") }
}

fn in_use(name: &str, kind: &str, id: u32, user: &'static str) -> ControlError {
    ControlError::InUse { object: title(name), what: format!("{kind} {id}"), user }
}
