//! What a packet does with a table.

use super::action::{Call, Target};
use super::key::Key;
use super::profile::Profile;
use super::Table;
use crate::program::{Address, Calculation, Slot};

impl Table {
    /// Looks the packet up, loads the arguments of the action and returns where its code is.
    #[inline]
    pub(crate) fn apply<'s>(
        &mut self,
        slots: &mut [u64],
        packet_bytes: usize,
        now_us: u64,
        selection: impl FnOnce() -> Selection<'s>,
    ) -> Address {
        let entry = self.lookup(slots);
        if self.direct_counter || self.idle_timeout || self.direct_meter.is_some() {
            self.note(entry, slots, packet_bytes, now_us);
        }
        if let Some((action, arguments)) = entry.and_then(|entry| self.calls.get(entry)) {
            load(slots, self.arguments, arguments);
            return self.code[action].on_hit;
        }
        match (entry, &self.default) {
            (None, Some(Target::Call(call))) => {
                load(slots, self.arguments, &call.arguments);
                self.code[call.action].on_miss
            }
            _ => self.apply_other(entry, slots, selection()),
        }
    }

    /// Goes on where an entry has no call of its own, or there is none.
    #[inline(never)]
    fn apply_other(
        &mut self,
        entry: Option<u32>,
        slots: &mut [u64],
        selection: Selection<'_>,
    ) -> Address {
        match (self.call(entry, slots, selection), entry) {
            (Some(call), Some(_)) => {
                load(slots, self.arguments, &call.arguments);
                self.code[call.action].on_hit
            }
            (Some(call), None) => {
                load(slots, self.arguments, &call.arguments);
                self.code[call.action].on_miss
            }
            (None, Some(_)) => self.empty_group,
            (None, None) => self.no_action,
        }
    }

    /// What [`Table::apply`] would find: the entry's key, and the action that it runs.
    pub(crate) fn explain(
        &mut self,
        slots: &[u64],
        selection: Selection<'_>,
    ) -> (Option<Key>, Option<Call>) {
        let entry = self.lookup(slots);
        let call = self.call(entry, slots, selection).cloned();
        let entry = entry.and_then(|entry| self.entries.get(entry));
        (entry.map(|entry| entry.key.clone()), call)
    }

    /// Keeps account of a hit, or of a miss.
    #[inline]
    fn note(&mut self, entry: Option<u32>, slots: &mut [u64], packet_bytes: usize, now_us: u64) {
        match entry {
            Some(entry) => self.note_hit(entry, slots, packet_bytes, now_us),
            None if self.direct_counter => self.default_counter.count(packet_bytes),
            None => (),
        }
    }

    #[inline(never)]
    fn note_hit(&mut self, entry: u32, slots: &mut [u64], packet_bytes: usize, now_us: u64) {
        let Some(entry) = self.entries.get_mut(entry) else { return };
        entry.counter.count(packet_bytes);
        entry.idle.hit(now_us);
        if let Some(direct) = &self.direct_meter {
            direct.execute(&mut entry.meter, slots, packet_bytes, now_us);
        }
    }

    /// What an entry runs; None is the default entry.
    fn call<'t>(
        &'t self,
        entry: Option<u32>,
        slots: &[u64],
        selection: Selection<'t>,
    ) -> Option<&'t Call> {
        match self.target(entry)? {
            Target::Call(call) => Some(call),
            target => selection.call(self.profile?, target, slots),
        }
    }

    pub(super) fn target(&self, entry: Option<u32>) -> Option<&Target> {
        match entry {
            Some(entry) => self.entries.get(entry).map(|entry| &entry.target),
            None => self.default.as_ref(),
        }
    }
}

/// Copies the arguments of an action to their place.
#[inline]
fn load(slots: &mut [u64], start: Slot, arguments: &[u64]) {
    let slots = &mut slots[usize::from(start)..][..arguments.len()];
    match (&mut *slots, arguments) {
        // Few words are copied faster one by one.
        ([], []) => {}
        ([to], [one]) => *to = *one,
        ([to, to_next], [one, next]) => (*to, *to_next) = (*one, *next),
        _ => slots.copy_from_slice(arguments),
    }
}

/// What choosing a member of a group needs.
pub(crate) struct Selection<'s> {
    pub(crate) profiles: &'s [Profile],
    pub(crate) calculations: &'s [Calculation],
    pub(crate) buffer: &'s mut Vec<u8>,
}

impl<'s> Selection<'s> {
    /// What an entry runs through its action profile; nothing if its group is empty.
    pub(crate) fn call(self, profile: u16, target: &Target, slots: &[u64]) -> Option<&'s Call> {
        let profile = &self.profiles[usize::from(profile)];
        match target {
            Target::Call(_) => None,
            Target::Member { copy, .. } => profile.call(*copy),
            Target::Group { number, .. } | Target::OneShot { number, .. } => {
                let calculation = &self.calculations[usize::from(profile.selector?)];
                profile.choose(*number, calculation.run(slots, &[], self.buffer))
            }
        }
    }
}
