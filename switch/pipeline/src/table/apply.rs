//! What a packet does with a table.

use super::{Call, Key, Profile, Table, Target};
use crate::program::{Address, Calculation, Slot};
use crate::state::State;

/// What choosing a member of a group needs.
struct Selection<'s> {
    profiles: &'s [Profile],
    calculations: &'s [Calculation],
    buffer: &'s mut Vec<u8>,
}

impl State {
    /// Looks the packet up in a table, loads the arguments of the action and returns where its
    /// code is.
    #[inline]
    pub(crate) fn apply_table(
        &mut self,
        table: u16,
        slots: &mut [u64],
        packet_bytes: usize,
        calculations: &[Calculation],
    ) -> Address {
        let table = &mut self.tables[usize::from(table)];
        let entry = table.lookup(slots);
        if let Some(entry) = entry {
            table.note_hit(entry, slots, packet_bytes, self.now_us);
        } else if table.direct_counter {
            table.default_counter.count(packet_bytes);
        }
        if let Some((action, arguments)) = entry.and_then(|entry| table.calls.get(entry)) {
            load(slots, table.arguments, arguments);
            return table.code[action].on_hit;
        }
        let selection =
            Selection { profiles: &self.profiles, calculations, buffer: &mut self.buffer };
        match (table.call(entry, slots, selection), entry) {
            (Some(call), Some(_)) => {
                load(slots, table.arguments, &call.arguments);
                table.code[call.action].on_hit
            }
            (Some(call), None) => {
                load(slots, table.arguments, &call.arguments);
                table.code[call.action].on_miss
            }
            (None, Some(_)) => table.empty_group,
            (None, None) => table.no_action,
        }
    }

    /// What [`State::apply_table`] would find: the entry's key, and the action that it runs.
    pub(crate) fn explain_table(
        &mut self,
        table: u16,
        slots: &[u64],
        calculations: &[Calculation],
    ) -> (Option<Key>, Option<Call>) {
        let table = &mut self.tables[usize::from(table)];
        let entry = table.lookup(slots);
        let selection =
            Selection { profiles: &self.profiles, calculations, buffer: &mut self.buffer };
        let call = table.call(entry, slots, selection).cloned();
        let entry = entry.and_then(|entry| table.entries.get(entry));
        (entry.map(|entry| entry.key.clone()), call)
    }
}

impl Table {
    #[inline]
    fn note_hit(&mut self, entry: u32, slots: &mut [u64], packet_bytes: usize, now_us: u64) {
        if self.direct_counter || self.idle_timeout || self.direct_meter.is_some() {
            let Some(entry) = self.entries.get_mut(entry) else { return };
            entry.counter.count(packet_bytes);
            entry.idle.hit(now_us);
            if let Some(direct) = &self.direct_meter {
                direct.execute(&mut entry.meter, slots, packet_bytes, now_us);
            }
        }
    }

    /// What an entry runs; None is the default entry.
    #[inline]
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

    #[inline]
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
    let start = usize::from(start);
    slots[start..start + arguments.len()].copy_from_slice(arguments);
}

impl<'s> Selection<'s> {
    /// What an entry runs through its action profile; nothing if its group is empty.
    fn call(self, profile: u16, target: &Target, slots: &[u64]) -> Option<&'s Call> {
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
