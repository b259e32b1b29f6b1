//! Tables and their entries.

use super::conversion::{key_from, key_info, match_of};
use super::{unknown, Control, Result};
use crate::error::ControlError;
use crate::state::State;
use crate::table::{Entry, IdleTimer, Refusal, Table, Target};
use crate::types::{
    ActionCall, CounterValue, DefaultEntry, Match, NewEntry, TableAction, TableEntry, TableInfo,
};

impl Control<'_> {
    /// The program's tables, without those that p4c made up for plain statements.
    pub fn tables(&self) -> Vec<TableInfo> {
        let tables = self.state.tables.iter().filter(|table| !table.synthetic);
        tables.map(|table| self.table_info(table)).collect()
    }

    /// Adds an entry that runs an action; see [`Control::entry_insert`].
    pub fn table_insert(
        &mut self,
        table: &str,
        key: &[Match],
        action: &str,
        arguments: &[Vec<u8>],
        priority: i32,
    ) -> Result {
        self.entry_insert(table, &running(key, action, arguments, priority))
    }

    /// Adds an entry.
    pub fn entry_insert(&mut self, table: &str, new: &NewEntry) -> Result {
        let position = self.mutable_table(table)?;
        let now_us = self.state.now_us;
        let table = &self.state.tables[position];
        let key = key_from(table, &new.key, new.priority)?;
        check_idle_timeout(table, new.idle_timeout_ns)?;
        if let Err(refusal) = table.check_insert(&key) {
            let error = refused(table, refusal);
            if refusal == Refusal::Full {
                let message = || format!("{error}; what comes on top is refused");
                self.state.notices.tell("full table", position as u64, message);
            }
            return Err(error);
        }
        let target = self.entry_target(position, &new.action)?;
        let table = &mut self.state.tables[position];
        let idle = IdleTimer::new(new.idle_timeout_ns, now_us);
        table
            .insert(key, target, idle, new.metadata.clone())
            .map_err(|refusal| refused(table, refusal))
    }

    /// Gives an entry another action and another idle timeout, which begins now. Its counter goes
    /// on.
    pub fn entry_modify(&mut self, table: &str, new: &NewEntry) -> Result {
        let position = self.mutable_table(table)?;
        let now_us = self.state.now_us;
        let table = &self.state.tables[position];
        let key = key_from(table, &new.key, new.priority)?;
        check_idle_timeout(table, new.idle_timeout_ns)?;
        if table.entry(&key).is_none() {
            return Err(refused(table, Refusal::NotFound));
        }
        let target = self.entry_target(position, &new.action)?;
        let table = &mut self.state.tables[position];
        let old = table.modify(&key, target, new.idle_timeout_ns, now_us, new.metadata.clone());
        let old = old.map_err(|refusal| refused(table, refusal))?;
        self.release(position, old);
        Ok(())
    }

    /// Removes an entry.
    pub fn table_delete(&mut self, table: &str, key: &[Match], priority: i32) -> Result {
        let position = self.mutable_table(table)?;
        let table = &mut self.state.tables[position];
        let key = key_from(table, key, priority)?;
        let target = table.remove(&key).map_err(|refusal| refused(table, refusal))?;
        self.release(position, target);
        Ok(())
    }

    /// The entry with this key and priority.
    pub fn table_entry(&self, table: &str, key: &[Match], priority: i32) -> Result<TableEntry> {
        let table = self.table(table)?;
        let key = key_from(table, key, priority)?;
        match table.entry(&key) {
            Some(entry) => Ok(self.table_entry_of(table, entry)),
            None => Err(refused(table, Refusal::NotFound)),
        }
    }

    /// All entries, in no particular order.
    pub fn table_entries(&self, table: &str) -> Result<Vec<TableEntry>> {
        let table = self.table(table)?;
        Ok(table.entries().map(|entry| self.table_entry_of(table, entry)).collect())
    }

    /// At most so many entries from a number on, 0 at first, and the number to go on from; none: there
    /// are no more.
    pub fn table_entries_from(
        &self,
        table: &str,
        number: u32,
        most: usize,
    ) -> Result<(Vec<TableEntry>, Option<u32>)> {
        let table = self.table(table)?;
        let mut entries = table.entries_from(number);
        let found = entries.by_ref().take(most);
        let found = found.map(|(_, entry)| self.table_entry_of(table, entry)).collect();
        Ok((found, entries.next().map(|(number, _)| number)))
    }

    /// The entries that have been idle for their timeouts or longer, with their tables' names. An
    /// entry that is reported counts as idle again when the timeout has passed once more.
    pub fn table_expired(&mut self) -> Vec<(String, TableEntry)> {
        let now_us = self.state.now_us;
        let mut expired = Vec::new();
        for position in 0..self.state.tables.len() {
            let table = &mut self.state.tables[position];
            if !table.idle_timeout {
                continue;
            }
            let numbers = table.expired(now_us);
            let table = &self.state.tables[position];
            for entry in numbers.into_iter().filter_map(|number| table.entry_of(number)) {
                expired.push((table.name.clone(), self.table_entry_of(table, entry)));
            }
        }
        expired
    }

    /// What the table does with packets that match no entry; None: nothing.
    pub fn table_default(&self, table: &str) -> Result<Option<DefaultEntry>> {
        let table = self.table(table)?;
        Ok(table.default.as_ref().map(|default| DefaultEntry {
            action: self.action_of_target(table, default),
            counter: table.default_counter,
            metadata: table.default_metadata.clone(),
        }))
    }

    /// Says what the table does with packets that match no entry.
    pub fn default_set(&mut self, table: &str, action: &TableAction) -> Result {
        let position = self.table_position(table)?;
        let target = self.default_target(position, action)?;
        let table = &self.state.tables[position];
        if table.constant_default_entry
            || (table.constant_default_action && !same_action(table.default.as_ref(), &target))
        {
            let refusal = constant(table, "its default action is constant");
            self.release(position, target);
            return Err(refusal);
        }
        self.replace_default(position, Some(target));
        Ok(())
    }

    /// Lets initial entries be changed, and up to `size` entries be held. BMv2's JSON has no word
    /// for entries that are initial but not constant, P4Info has.
    pub fn table_open(&mut self, table: &str, size: usize) -> Result {
        let position = self.table_position(table)?;
        let table = &mut self.state.tables[position];
        table.constant_entries = false;
        table.size = table.size.max(size);
        Ok(())
    }

    /// Returns to the default entry that the program declares.
    pub fn table_reset_default(&mut self, table: &str) -> Result {
        let position = self.table_position(table)?;
        let declared = self.state.tables[position].declared_default.clone();
        self.replace_default(position, declared.map(Target::Call));
        Ok(())
    }

    /// Attaches something to the default entry until it is set again. It means nothing here.
    pub fn default_attach(&mut self, table: &str, metadata: Box<[u8]>) -> Result {
        let position = self.table_position(table)?;
        self.state.tables[position].default_metadata = metadata;
        Ok(())
    }

    fn replace_default(&mut self, position: usize, target: Option<Target>) {
        self.state.tables[position].default_metadata = Box::default();
        let old = std::mem::replace(&mut self.state.tables[position].default, target);
        if let Some(old) = old {
            self.release(position, old);
        }
    }

    /// Sets the direct counter of an entry.
    pub fn table_set_counter(
        &mut self,
        table: &str,
        key: &[Match],
        priority: i32,
        value: CounterValue,
    ) -> Result {
        let table = counting_table(self.state, self.table_position(table)?)?;
        let key = key_from(table, key, priority)?;
        match table.entry_mut(&key) {
            Some(entry) => {
                entry.counter = value;
                Ok(())
            }
            None => Err(refused(table, Refusal::NotFound)),
        }
    }

    /// Sets the direct counter of the packets that match no entry.
    pub fn default_set_counter(&mut self, table: &str, value: CounterValue) -> Result {
        let table = counting_table(self.state, self.table_position(table)?)?;
        table.default_counter = value;
        Ok(())
    }

    fn table(&self, name: &str) -> Result<&Table> {
        Ok(&self.state.tables[self.table_position(name)?])
    }

    /// The position of a table whose entries may be changed.
    fn mutable_table(&self, name: &str) -> Result<usize> {
        let position = self.table_position(name)?;
        let table = &self.state.tables[position];
        match table.constant_entries {
            false => Ok(position),
            true => Err(constant(table, "its entries are constant")),
        }
    }

    pub(super) fn table_position(&self, name: &str) -> Result<usize> {
        let tables = &self.state.tables;
        tables.iter().position(|table| table.name == name).ok_or_else(|| {
            let listed = tables.iter().filter(|table| !table.synthetic);
            unknown("table", name, listed.map(|table| &table.name))
        })
    }

    fn table_info(&self, table: &Table) -> TableInfo {
        let profile = table.profile.map(|profile| &self.state.profiles[usize::from(profile)]);
        TableInfo {
            name: table.name.clone(),
            size: table.size,
            key: table.fields.iter().map(key_info).collect(),
            actions: table.actions.clone(),
            constant_entries: table.constant_entries,
            direct_counter: table.direct_counter,
            direct_meter: table.direct_meter.is_some(),
            idle_timeout: table.idle_timeout,
            needs_priority: table.needs_priority(),
            profile: profile.map(|profile| profile.name.clone()),
        }
    }

    fn table_entry_of(&self, table: &Table, entry: &Entry) -> TableEntry {
        let fields = table.fields.iter().zip(&entry.key.fields);
        TableEntry {
            key: fields.map(|(field, matched)| match_of(field, matched)).collect(),
            action: self.action_of_target(table, &entry.target),
            priority: entry.key.priority,
            counter: entry.counter,
            meter: entry.meter.config(),
            meter_counts: entry.meter.counts(),
            idle_timeout_ns: entry.idle.timeout_ns,
            idle_ns: if table.idle_timeout { entry.idle.idle_ns(self.state.now_us) } else { 0 },
            metadata: entry.metadata.clone(),
        }
    }
}

/// An entry that runs an action.
fn running(key: &[Match], action: &str, arguments: &[Vec<u8>], priority: i32) -> NewEntry {
    let call = ActionCall { name: action.to_string(), arguments: arguments.to_vec() };
    let action = TableAction::Call(call);
    NewEntry { key: key.to_vec(), priority, action, idle_timeout_ns: 0, metadata: Box::default() }
}

fn same_action(known: Option<&Target>, new: &Target) -> bool {
    match (known, new) {
        (Some(Target::Call(known)), Target::Call(new)) => known.action == new.action,
        _ => false,
    }
}

fn counting_table(state: &mut State, position: usize) -> Result<&mut Table> {
    let table = &mut state.tables[position];
    match table.direct_counter {
        true => Ok(table),
        false => Err(super::invalid("table", &table.name, "it has no direct counter")),
    }
}

fn check_idle_timeout(table: &Table, idle_timeout_ns: u64) -> Result {
    match idle_timeout_ns > 0 && !table.idle_timeout {
        true => Err(super::invalid("table", &table.name, "it has no idle timeouts")),
        false => Ok(()),
    }
}

pub(super) fn refused(table: &Table, refusal: Refusal) -> ControlError {
    let object = format!("table {}", table.name);
    match refusal {
        Refusal::Exists => ControlError::AlreadyExists { object, what: "the entry".to_string() },
        Refusal::NotFound => ControlError::NotFound { object, what: "entry".to_string() },
        Refusal::Full => ControlError::Full { object, what: "entries", size: table.size },
    }
}

fn constant(table: &Table, reason: &str) -> ControlError {
    ControlError::Constant { object: format!("table {}", table.name), reason: reason.to_string() }
}
