//! Match-action tables.

mod key;
mod key_map;
mod lpm;
mod ordered;
#[cfg(test)]
mod tests;

pub(crate) use key::{FieldMatch, Key, KeyField};

use crate::control::{CounterValue, MatchKind};
use crate::program::{Address, Slot};
use key::KeyPart;
use key_map::KeyMap;
use lpm::Lpm;
use ordered::Ordered;

/// A table: what it matches, what it does, and its entries.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) fields: Vec<KeyField>,
    pub(crate) actions: Vec<Action>,
    /// The most entries it holds.
    pub(crate) size: usize,
    /// p4c made it up for a plain statement.
    pub(crate) synthetic: bool,
    /// Its entries are the program's own.
    pub(crate) constant_entries: bool,
    pub(crate) direct_counter: bool,
    /// What happens when no entry matches; None: nothing, on to `no_action`.
    pub(crate) default: Option<DefaultCall>,
    /// The default that the program declares.
    pub(crate) declared_default: Option<DefaultCall>,
    /// The default's action may not be changed.
    pub(crate) constant_default_action: bool,
    /// Neither may its arguments.
    pub(crate) constant_default_entry: bool,
    /// Where control goes if there is no default.
    pub(crate) no_action: Address,
    /// Where the arguments of the chosen action go.
    pub(crate) arguments: Slot,
    parts: Vec<KeyPart>,
    index: Index,
    entries: Vec<Option<Entry>>,
    free: Vec<u32>,
    /// Space for the key that is looked up.
    scratch: Vec<u64>,
}

/// An action as one table uses it.
#[derive(Debug)]
pub(crate) struct Action {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    /// Its code, followed by what comes after a hit or a miss.
    pub(crate) on_hit: Address,
    pub(crate) on_miss: Address,
}

/// A parameter of an action.
#[derive(Debug, Clone)]
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

/// What a table does when no entry matches.
#[derive(Debug, Clone)]
pub(crate) struct DefaultCall {
    pub(crate) call: Call,
    pub(crate) counter: CounterValue,
}

/// An entry of a table.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) call: Call,
    pub(crate) counter: CounterValue,
    pub(crate) key: Key,
}

/// Finds entries by key.
#[derive(Debug)]
enum Index {
    Exact(KeyMap),
    Lpm(Lpm),
    Ordered(Ordered),
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
        let parts = key::parts(&fields);
        let index = if fields.iter().any(|field| field.kind.needs_priority()) {
            Index::Ordered(Ordered::new(&fields))
        } else if let Some(lpm) = Lpm::new(&fields) {
            Index::Lpm(lpm)
        } else {
            Index::Exact(KeyMap::new(parts.len()))
        };
        Table {
            name,
            actions: Vec::new(),
            size,
            synthetic: false,
            constant_entries: false,
            direct_counter: false,
            default: None,
            declared_default: None,
            constant_default_action: false,
            constant_default_entry: false,
            no_action: 0,
            arguments: 0,
            scratch: vec![0; parts.len()],
            parts,
            index,
            fields,
            entries: Vec::new(),
            free: Vec::new(),
        }
    }

    /// Whether entries have priorities.
    pub(crate) fn needs_priority(&self) -> bool {
        matches!(self.index, Index::Ordered(_))
    }

    /// Looks the packet up, loads the arguments of the action and returns where its code is.
    #[inline]
    pub(crate) fn apply(&mut self, slots: &mut [u64], packet_bytes: usize) -> Address {
        let (call, counter, hit) = match self.lookup(slots) {
            Some(index) => match &mut self.entries[index as usize] {
                Some(entry) => (&entry.call, &mut entry.counter, true),
                None => unreachable!("the index names live entries"),
            },
            None => match &mut self.default {
                Some(default) => (&default.call, &mut default.counter, false),
                None => return self.no_action,
            },
        };
        if self.direct_counter {
            counter.count(packet_bytes);
        }
        let start = usize::from(self.arguments);
        slots[start..start + call.arguments.len()].copy_from_slice(&call.arguments);
        let action = &self.actions[call.action];
        if hit {
            action.on_hit
        } else {
            action.on_miss
        }
    }

    /// What [`Table::apply`] would find: the entry, and its action or the default one.
    pub(crate) fn explain(&mut self, slots: &[u64]) -> (Option<&Entry>, Option<&Call>) {
        let entry = self.lookup(slots).and_then(|index| self.entries[index as usize].as_ref());
        let default = self.default.as_ref().map(|default| &default.call);
        (entry, entry.map(|entry| &entry.call).or(default))
    }

    #[inline]
    fn lookup(&mut self, slots: &[u64]) -> Option<u32> {
        if let (Index::Exact(KeyMap::Narrow(map)), [part]) = (&self.index, &self.parts[..]) {
            return map.get(&part.read(slots)).copied();
        }
        for (limb, part) in self.scratch.iter_mut().zip(&self.parts) {
            *limb = part.read(slots);
        }
        match &mut self.index {
            Index::Exact(map) => map.get(&self.scratch),
            Index::Lpm(lpm) => lpm.get(&self.scratch),
            Index::Ordered(ordered) => ordered.get(&self.scratch),
        }
    }

    /// Adds an entry.
    pub(crate) fn insert(&mut self, key: Key, call: Call) -> Result<(), Refusal> {
        if self.find(&key).is_some() {
            return Err(Refusal::Exists);
        }
        if self.len() >= self.size {
            return Err(Refusal::Full);
        }
        let entry = Some(Entry { call, counter: CounterValue::default(), key: key.clone() });
        let index = match self.free.pop() {
            Some(index) => {
                self.entries[index as usize] = entry;
                index
            }
            None => {
                self.entries.push(entry);
                self.entries.len() as u32 - 1
            }
        };
        match &mut self.index {
            Index::Exact(map) => map.insert(key.values(), index),
            Index::Lpm(lpm) => lpm.insert(&key, index),
            Index::Ordered(ordered) => ordered.insert(&key, index),
        }
        Ok(())
    }

    /// Removes an entry.
    pub(crate) fn remove(&mut self, key: &Key) -> Result<(), Refusal> {
        let index = self.find(key).ok_or(Refusal::NotFound)?;
        match &mut self.index {
            Index::Exact(map) => map.remove(&key.values()),
            Index::Lpm(lpm) => lpm.remove(key),
            Index::Ordered(ordered) => ordered.remove(key),
        }
        self.entries[index as usize] = None;
        self.free.push(index);
        Ok(())
    }

    fn find(&self, key: &Key) -> Option<u32> {
        match &self.index {
            Index::Exact(map) => map.get(&key.values()),
            Index::Lpm(lpm) => lpm.find(key),
            Index::Ordered(ordered) => ordered.find(key),
        }
    }

    /// The entry with this key.
    pub(crate) fn entry(&self, key: &Key) -> Option<&Entry> {
        self.entries[self.find(key)? as usize].as_ref()
    }

    /// The entry with this key, to be changed.
    pub(crate) fn entry_mut(&mut self, key: &Key) -> Option<&mut Entry> {
        let index = self.find(key)?;
        self.entries[index as usize].as_mut()
    }

    /// All entries.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().flatten()
    }

    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len() - self.free.len()
    }
}

impl MatchKind {
    /// Whether several entries can match, so that a priority must decide.
    pub(crate) fn needs_priority(self) -> bool {
        matches!(self, MatchKind::Ternary | MatchKind::Range)
    }
}
