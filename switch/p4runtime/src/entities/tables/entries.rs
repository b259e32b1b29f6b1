//! Ordinary entries of tables (P4Runtime 1.5, section 9.1).

use std::sync::Arc;

use pipeline::{ControlError, Match, NewEntry, TableAction as EngineAction};

use super::super::change::Change;
use super::super::cursor::{one_or_none, Cursor, Part};
use super::direct::{self, Place};
use super::messages::{self, Attached};
use crate::messages::runtime::{
    CounterData, Entity, MeterConfig, MeterCounterData, TableEntry as Entry,
};
use crate::plane::Plane;
use crate::program::Table;
use crate::status::{Error, Result};
use crate::values::{actions, key, key_text};

/// How what the engine reports of an entry is told, if it is.
type Tell = fn(&Table, &pipeline::TableEntry, &Entry) -> Option<Entity>;

/// The entries of tables with the key and priority of a filter, where it sets them.
#[derive(Debug)]
pub(super) struct Entries {
    tables: Vec<Arc<Table>>,
    wanted: Entry,
    key: Option<Vec<Match>>,
    tell: Tell,
    /// The present table, and the entry in it to go on from.
    table: usize,
    number: u32,
}

impl Entries {
    pub(super) fn new(tables: Vec<Arc<Table>>, wanted: &Entry, tell: Tell) -> Result<Self> {
        let key = match (&tables[..], &wanted.key[..]) {
            ([table], [_, ..]) => Some(key::to_engine(table.as_ref(), &wanted.key)?),
            _ => None,
        };
        Ok(Entries { tables, wanted: wanted.clone(), key, tell, table: 0, number: 0 })
    }

    fn is_wanted(&self, table: &Table, entry: &pipeline::TableEntry) -> bool {
        (self.wanted.priority == 0 || self.wanted.priority == entry.priority)
            && self.key.as_ref().is_none_or(|key| key::are_equal(table, &entry.key, key))
    }
}

impl Cursor for Entries {
    fn next(&mut self, plane: &mut Plane<'_>, part: &mut Part) -> Result<bool> {
        let Some(table) = self.tables.get(self.table).cloned() else { return Ok(false) };
        let control = &plane.engine.control;
        if let Some(key) = &self.key {
            if self.wanted.priority != 0 || !table.has_priority() {
                self.table += 1;
                let entry = control.table_entry(&table.name, key, self.wanted.priority);
                let entry = one_or_none(entry)?;
                part.found
                    .extend(entry.and_then(|entry| (self.tell)(&table, &entry, &self.wanted)));
                part.spend_entries(1);
                return Ok(true);
            }
        }
        let (entries, next) =
            control.table_entries_from(&table.name, self.number, part.entries())?;
        part.spend_entries(entries.len().max(1));
        let entries = entries.iter().filter(|entry| self.is_wanted(&table, entry));
        part.found.extend(entries.filter_map(|entry| (self.tell)(&table, entry, &self.wanted)));
        self.number = next.unwrap_or(0);
        self.table += usize::from(next.is_none());
        Ok(true)
    }
}

/// The one entry with the key and priority given.
pub(super) fn find(
    plane: &Plane<'_>,
    table: &Table,
    wanted: &Entry,
) -> Result<pipeline::TableEntry> {
    let key = checked_key(table, wanted)?;
    let found = plane.engine.control.table_entry(&table.name, &key, wanted.priority);
    found.map_err(|error| named(table, wanted, error))
}

/// The one entry with the key given, as a write restores it. What it has counted is left as it is
/// unless the update sets or deletes it.
pub(crate) fn present(
    plane: &mut Plane<'_>,
    change: Change,
    wanted: &Entry,
) -> Result<Vec<Entity>> {
    let table = Arc::clone(plane.program.tables.find(wanted.table_id)?);
    let is_deleted = change == Change::Delete;
    let full = Entry {
        meter_config: Some(MeterConfig::default()),
        counter_data: (is_deleted || wanted.counter_data.is_some()).then(CounterData::default),
        meter_counter_data: (is_deleted || wanted.meter_counter_data.is_some())
            .then(MeterCounterData::default),
        ..Entry::default()
    };
    let mut message = if wanted.is_default_action {
        match plane.engine.control.table_default(&table.name)? {
            Some(declared) => messages::full_default(&table, &declared, &full),
            None => messages::default_place(&table),
        }
    } else {
        messages::full(&table, &find(plane, &table, wanted)?, &full)
    };
    if message.is_const {
        (message.is_const, message.action) = (false, None);
    }
    Ok(vec![Entity::TableEntry(message.into())])
}

/// The key of an entry; its priority is checked, too.
pub(super) fn checked_key(table: &Table, entry: &Entry) -> Result<Vec<Match>> {
    let priority = entry.priority;
    if table.has_priority() && priority <= 0 {
        return Err(invalid!(
            "{table} needs a priority of at least 1, not {priority}: it has a ternary, range or optional \
             key field"));
    }
    if !table.has_priority() && priority != 0 {
        return Err(invalid!("{table} takes no priority, but {priority} is given"));
    }
    key::to_engine(table, &entry.key)
}

pub(super) fn insert(plane: &mut Plane<'_>, table: &Table, entry: &Entry) -> Result {
    refuse_const(table, "inserted into")?;
    if table.key.is_empty() {
        return Err(invalid!("{table} has no key; only its default action can be modified"));
    }
    let new = new_entry(plane, table, entry)?;
    let inserted = plane.engine.control.entry_insert(&table.name, &new);
    inserted.map_err(|error| named(table, entry, error))?;
    let place = Place { key: Some(&new.key), priority: new.priority };
    direct::write(plane, table, place, entry)
}

pub(super) fn modify(plane: &mut Plane<'_>, table: &Table, entry: &Entry) -> Result {
    let key = checked_key(table, entry).map_err(|error| match entry.key[..] {
        [] => invalid!("{} (for the default action set is_default_action)", error.message),
        _ => error,
    })?;
    if entry.action.is_none() {
        let found = plane.engine.control.table_entry(&table.name, &key, entry.priority);
        found.map_err(|error| named(table, entry, error))?;
        let place = Place { key: Some(&key), priority: entry.priority };
        return direct::write(plane, table, place, entry);
    }
    refuse_const(table, "modified in")?;
    let new = new_entry(plane, table, entry)?;
    let modified = plane.engine.control.entry_modify(&table.name, &new);
    modified.map_err(|error| named(table, entry, error))?;
    let place = Place { key: Some(&new.key), priority: new.priority };
    direct::write(plane, table, place, entry)
}

pub(super) fn delete(plane: &mut Plane<'_>, table: &Table, entry: &Entry) -> Result {
    refuse_const(table, "deleted from")?;
    let key = checked_key(table, entry)?;
    let deleted = plane.engine.control.table_delete(&table.name, &key, entry.priority);
    deleted.map_err(|error| named(table, entry, error))
}

/// An error of the engine; of an entry that is there, or is not, with its key.
fn named(table: &Table, entry: &Entry, error: ControlError) -> Error {
    let (what, key) = (table.to_string(), key_text::text(table, &entry.key, entry.priority));
    match error {
        ControlError::AlreadyExists { .. } => {
            let told = "exists already; MODIFY changes it";
            refusal!(AlreadyExists, "{what}: an entry with the key {key} {told}")
        }
        ControlError::NotFound { object, .. } if object == what => {
            refusal!(NotFound, "{what}: no entry has the key {key}")
        }
        other => other.into(),
    }
}

fn new_entry(plane: &Plane<'_>, table: &Table, entry: &Entry) -> Result<NewEntry> {
    let key = checked_key(table, entry)?;
    table.check(&key, entry.priority)?;
    Ok(NewEntry {
        key,
        priority: entry.priority,
        action: action(plane, table, entry)?,
        idle_timeout_ns: entry.idle_timeout_ns.unsigned_abs(),
        metadata: Attached::of(entry),
    })
}

fn action(plane: &Plane<'_>, table: &Table, entry: &Entry) -> Result<EngineAction> {
    let action = actions::in_entry(table, entry.action.as_ref())?;
    if let (EngineAction::OneShot(weighted), Some(profile)) = (&action, &table.profile) {
        if plane.engine.control.profile_has_members(&profile.name)? {
            return Err(invalid!(
                "action selector {} has members: {table} takes no one-shot action sets beside them",
                profile.name
            ));
        }
        for port in weighted.iter().filter_map(|action| action.watch_port) {
            plane.engine.check_port(port)?;
        }
    }
    Ok(action)
}

/// Refuses what a table entry cannot carry here, in BMv2's words where clients compare them.
pub(super) fn check_attributes(table: &Table, entry: &Entry) -> Result {
    if entry.time_since_last_hit.is_some() {
        return Err(invalid!("has_time_since_last_hit must not be set in WriteRequest"));
    }
    match entry.idle_timeout_ns {
        0 => Ok(()),
        _ if !table.has_idle_timeout => Err(invalid!(
            "idle_timeout_ns must be set to 0 for tables which do not support idle timeout"
        )),
        _ if entry.is_default_action => Err(invalid!("{table} has no idle timeout here")),
        timeout_ns @ ..=-1 => Err(invalid!("idle timeout of {table} is {timeout_ns} ns")),
        _ => Ok(()),
    }
}

fn refuse_const(table: &Table, done: &str) -> Result {
    match table.is_const {
        true => {
            let reason = "its entries are constant";
            Err(refusal!(PermissionDenied, "entries cannot be {done} {table}: {reason}"))
        }
        false => Ok(()),
    }
}
