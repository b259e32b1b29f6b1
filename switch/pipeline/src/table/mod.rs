//! Match-action tables.

mod action;
mod apply;
mod calls;
mod field;
mod idle;
mod index;
mod key;
mod packing;
pub(crate) mod profile;
mod slab;
#[cfg(test)]
mod tests;

pub(crate) use action::{ActionCode, Call, Target, WeightedCall};
pub(crate) use apply::Selection;
pub(crate) use field::KeyField;
use idle::IdleQueue;
pub(crate) use idle::IdleTimer;
pub(crate) use key::{FieldMatch, Key};
pub(crate) use profile::Profile;

use crate::meter::{DirectMeter, Meter};
use crate::program::{Address, Slot};
use crate::types::{ActionInfo, CounterValue};
use calls::Calls;
use index::Index;
use slab::Slab;

/// A table: what it matches, what it does, and its entries.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) fields: Vec<KeyField>,
    pub(crate) actions: Vec<ActionInfo>,
    /// The code of each action.
    pub(crate) code: Vec<ActionCode>,
    /// The action profile that its entries refer to.
    pub(crate) profile: Option<u16>,
    /// The most entries it holds.
    pub(crate) size: usize,
    /// p4c made it up for a plain statement.
    pub(crate) synthetic: bool,
    /// Its entries are the program's own.
    pub(crate) constant_entries: bool,
    pub(crate) direct_counter: bool,
    pub(crate) direct_meter: Option<DirectMeter>,
    /// It keeps the time of every entry's last hit.
    pub(crate) idle_timeout: bool,
    /// What happens when no entry matches; None: nothing, on to `no_action`.
    pub(crate) default: Option<Target>,
    /// The default that the program declares.
    pub(crate) declared_default: Option<Call>,
    /// What the control plane attached to the default.
    pub(crate) default_metadata: Box<[u8]>,
    /// The direct counter of packets that match no entry.
    pub(crate) default_counter: CounterValue,
    /// The default's action may not be changed.
    pub(crate) constant_default_action: bool,
    /// Neither may its arguments.
    pub(crate) constant_default_entry: bool,
    /// Where control goes if there is no default.
    pub(crate) no_action: Address,
    /// Where control goes after a hit whose group has no member to choose.
    pub(crate) empty_group: Address,
    /// Where the arguments of the chosen action go.
    pub(crate) arguments: Slot,
    index: Index,
    entries: Slab<Entry>,
    calls: Calls,
    idle_queue: IdleQueue,
}

/// An entry of a table.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) target: Target,
    pub(crate) counter: CounterValue,
    pub(crate) meter: Meter,
    pub(crate) idle: IdleTimer,
    pub(crate) key: Key,
    /// What the control plane attached to it.
    pub(crate) metadata: Box<[u8]>,
}

/// Why a table was not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    Exists,
    NotFound,
    Full,
}

impl Table {
    /// A table without entries and default.
    pub(crate) fn new(name: String, fields: Vec<KeyField>, size: usize) -> Table {
        Table {
            name,
            actions: Vec::new(),
            code: Vec::new(),
            profile: None,
            size,
            synthetic: false,
            constant_entries: false,
            direct_counter: false,
            direct_meter: None,
            idle_timeout: false,
            default: None,
            declared_default: None,
            default_metadata: Box::default(),
            default_counter: CounterValue::default(),
            constant_default_action: false,
            constant_default_entry: false,
            no_action: 0,
            empty_group: 0,
            arguments: 0,
            index: Index::new(&fields),
            fields,
            entries: Slab::new(),
            calls: Calls::new(),
            idle_queue: IdleQueue::default(),
        }
    }

    /// Whether entries have priorities.
    pub(crate) fn needs_priority(&self) -> bool {
        self.index.needs_priority()
    }

    #[inline]
    fn lookup(&mut self, slots: &[u64]) -> Option<u32> {
        self.index.get(slots)
    }

    /// Whether there is room for an entry with this key.
    pub(crate) fn check_insert(&self, key: &Key) -> Result<(), Refusal> {
        if self.find(key).is_some() {
            return Err(Refusal::Exists);
        }
        match self.len() < self.size {
            true => Ok(()),
            false => Err(Refusal::Full),
        }
    }

    /// Adds an entry.
    pub(crate) fn insert(
        &mut self,
        key: Key,
        target: Target,
        idle: IdleTimer,
        metadata: Box<[u8]>,
    ) -> Result<(), Refusal> {
        self.check_insert(&key)?;
        let (counter, meter) = (CounterValue::default(), Meter::default());
        let entry = Entry { target, counter, meter, idle, key, metadata };
        let number = self.entries.insert(entry);
        if let Some(Entry { key, target, .. }) = self.entries.get(number) {
            self.index.insert(key, number);
            self.calls.replace(number, None, target.call());
        }
        self.await_idle(number);
        Ok(())
    }

    /// Gives an entry something else to do, another idle timeout and other metadata; returns what it
    /// did.
    pub(crate) fn modify(
        &mut self,
        key: &Key,
        target: Target,
        idle_timeout_ns: u64,
        now_us: u64,
        metadata: Box<[u8]>,
    ) -> Result<Target, Refusal> {
        let number = self.find(key).ok_or(Refusal::NotFound)?;
        let entry = self.entries.get_mut(number).ok_or(Refusal::NotFound)?;
        self.calls.replace(number, entry.target.call(), target.call());
        entry.idle = entry.idle.with_timeout(idle_timeout_ns, now_us);
        entry.metadata = metadata;
        let old = std::mem::replace(&mut entry.target, target);
        self.await_idle(number);
        Ok(old)
    }

    /// Removes an entry and returns what it did.
    pub(crate) fn remove(&mut self, key: &Key) -> Result<Target, Refusal> {
        let number = self.find(key).ok_or(Refusal::NotFound)?;
        self.index.remove(key, number);
        let entry = self.entries.remove(number).ok_or(Refusal::NotFound)?;
        self.calls.replace(number, entry.target.call(), None);
        Ok(entry.target)
    }

    fn find(&self, key: &Key) -> Option<u32> {
        self.index.find(key)
    }

    /// The entry with this key.
    pub(crate) fn entry(&self, key: &Key) -> Option<&Entry> {
        self.entries.get(self.find(key)?)
    }

    /// The entry with this key, to be changed.
    pub(crate) fn entry_mut(&mut self, key: &Key) -> Option<&mut Entry> {
        self.entries.get_mut(self.find(key)?)
    }

    /// All entries.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// The entries from a number on, by ascending numbers.
    pub(crate) fn entries_from(&self, number: u32) -> impl Iterator<Item = (u32, &Entry)> {
        self.entries.iter_from(number)
    }

    /// The entries that have been idle for their timeouts or longer; these begin again.
    pub(crate) fn expired(&mut self, now_us: u64) -> Vec<u32> {
        let mut expired = Vec::new();
        while let Some((due_us, number)) = self.idle_queue.pop(now_us) {
            let Some(entry) = self.entries.get_mut(number) else { continue };
            // Of an entry that was removed or modified since, another time is there as well.
            if entry.idle.awaited_us == due_us {
                if entry.idle.expire(now_us) {
                    expired.push(number);
                }
                self.await_idle(number);
            }
        }
        expired
    }

    /// An entry by its number.
    pub(crate) fn entry_of(&self, number: u32) -> Option<&Entry> {
        self.entries.get(number)
    }

    /// Lets the idle timeouts of all entries begin now.
    pub(crate) fn begin_timeouts(&mut self, now_us: u64) {
        self.idle_queue = IdleQueue::default();
        for (number, entry) in self.entries.iter_mut() {
            entry.idle = IdleTimer::new(entry.idle.timeout_ns, now_us);
            if let Some(due_us) = entry.idle.awaited() {
                self.idle_queue.push(due_us, number);
            }
        }
    }

    /// Looks at an entry again when its timeout may have passed.
    fn await_idle(&mut self, number: u32) {
        let Some(entry) = self.entries.get_mut(number) else { return };
        if let Some(due_us) = entry.idle.awaited() {
            self.idle_queue.push(due_us, number);
        }
    }

    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}
