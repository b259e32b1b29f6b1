//! Match-action tables.

mod apply;
mod calls;
#[cfg(test)]
mod costs;
mod exact;
mod idle;
mod key;
mod key_map;
mod lpm;
mod packing;
pub(crate) mod profile;
mod slab;
mod ternary;
#[cfg(test)]
mod tests;
mod trie;

pub(crate) use idle::IdleTimer;
pub(crate) use key::{FieldMatch, Key, KeyField};
pub(crate) use profile::{Profile, WeightedCall};

use crate::meter::{DirectMeter, Meter};
use crate::program::{Address, Slot};
use crate::types::CounterValue;
use calls::Calls;
use exact::Exact;
use lpm::Lpm;
use slab::Slab;
use ternary::Ternary;

/// A table: what it matches, what it does, and its entries.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) fields: Vec<KeyField>,
    pub(crate) actions: Vec<Action>,
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
}

/// An action that entries can run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Action {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
}

/// An action's code in one table, followed by what comes after a hit or a miss.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ActionCode {
    pub(crate) on_hit: Address,
    pub(crate) on_miss: Address,
}

/// A parameter of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) bits: u32,
}

/// An action with its arguments, as limbs one after the other.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) action: usize,
    pub(crate) arguments: Box<[u64]>,
}

/// What an entry does.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    Call(Call),
    Member { id: u32, copy: profile::CopyNumber },
    Group { id: u32, number: profile::GroupNumber },
    OneShot { actions: Vec<WeightedCall>, number: profile::GroupNumber },
}

impl Target {
    /// The action that it runs whatever the packet.
    fn call(&self) -> Option<&Call> {
        match self {
            Target::Call(call) => Some(call),
            _ => None,
        }
    }
}

/// An entry of a table.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) target: Target,
    pub(crate) counter: CounterValue,
    pub(crate) meter: Meter,
    pub(crate) idle: IdleTimer,
    pub(crate) key: Key,
}

/// Finds entries by key.
#[derive(Debug)]
enum Index {
    Exact(Exact),
    Lpm(Lpm),
    Ternary(Ternary),
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
        let index = if fields.iter().any(|field| field.kind.needs_priority()) {
            Index::Ternary(Ternary::new(&fields))
        } else if let Some(lpm) = Lpm::new(&fields) {
            Index::Lpm(lpm)
        } else {
            Index::Exact(Exact::new(&fields))
        };
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
            default_counter: CounterValue::default(),
            constant_default_action: false,
            constant_default_entry: false,
            no_action: 0,
            empty_group: 0,
            arguments: 0,
            index,
            fields,
            entries: Slab::new(),
            calls: Calls::new(),
        }
    }

    /// Whether entries have priorities.
    pub(crate) fn needs_priority(&self) -> bool {
        matches!(self.index, Index::Ternary(_))
    }

    #[inline]
    fn lookup(&mut self, slots: &[u64]) -> Option<u32> {
        match &mut self.index {
            Index::Exact(exact) => exact.get(slots),
            Index::Lpm(lpm) => lpm.get(slots),
            Index::Ternary(ternary) => ternary.get(slots),
        }
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
    ) -> Result<(), Refusal> {
        self.check_insert(&key)?;
        let (counter, meter) = (CounterValue::default(), Meter::default());
        let entry = Entry { target, counter, meter, idle, key };
        let number = self.entries.insert(entry);
        if let Some(Entry { key, target, .. }) = self.entries.get(number) {
            match &mut self.index {
                Index::Exact(exact) => exact.insert(key, number),
                Index::Lpm(lpm) => lpm.insert(key, number),
                Index::Ternary(ternary) => ternary.insert(key, number),
            }
            self.calls.set(number, target.call());
        }
        Ok(())
    }

    /// Gives an entry something else to do, and another idle timeout; returns what it did.
    pub(crate) fn modify(
        &mut self,
        key: &Key,
        target: Target,
        idle_timeout_ns: u64,
        now_us: u64,
    ) -> Result<Target, Refusal> {
        let number = self.find(key).ok_or(Refusal::NotFound)?;
        let entry = self.entries.get_mut(number).ok_or(Refusal::NotFound)?;
        self.calls.set(number, target.call());
        entry.idle = entry.idle.with_timeout(idle_timeout_ns, now_us);
        Ok(std::mem::replace(&mut entry.target, target))
    }

    /// Removes an entry and returns what it did.
    pub(crate) fn remove(&mut self, key: &Key) -> Result<Target, Refusal> {
        let number = self.find(key).ok_or(Refusal::NotFound)?;
        match &mut self.index {
            Index::Exact(exact) => exact.remove(key),
            Index::Lpm(lpm) => lpm.remove(key),
            Index::Ternary(ternary) => ternary.remove(key, number),
        }
        let entry = self.entries.remove(number).ok_or(Refusal::NotFound)?;
        Ok(entry.target)
    }

    fn find(&self, key: &Key) -> Option<u32> {
        match &self.index {
            Index::Exact(exact) => exact.find(key),
            Index::Lpm(lpm) => lpm.find(key),
            Index::Ternary(ternary) => ternary.find(key),
        }
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

    /// All entries, to be changed.
    pub(crate) fn entries_mut(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.entries.iter_mut()
    }

    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}
