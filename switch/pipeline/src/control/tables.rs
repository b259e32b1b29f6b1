//! Tables and their entries.

use super::conversion::{action_info, action_of, call_from, key_from, key_info, match_of};
use super::{unknown, Control, CounterValue, DefaultEntry, Match, TableEntry, TableInfo};
use crate::error::ControlError;
use crate::table::{DefaultCall, Entry, Refusal, Table};

impl Control<'_> {
    /// The program's tables, without those that p4c made up for plain statements.
    pub fn tables(&self) -> Vec<TableInfo> {
        let tables = self.state.tables.iter().filter(|table| !table.synthetic);
        tables.map(table_info).collect()
    }

    /// Adds an entry. `priority` is larger than 0 in tables with ternary or range fields, and 0
    /// in all others; the larger wins.
    pub fn table_insert(
        &mut self,
        table: &str,
        key: &[Match],
        action: &str,
        arguments: &[Vec<u8>],
        priority: i32,
    ) -> Result<(), ControlError> {
        let table = self.mutable_table(table)?;
        let key = key_from(table, key, priority)?;
        let call = call_from(table, action, arguments)?;
        table.insert(key, call).map_err(|refusal| refused(table, refusal))
    }

    /// Gives an entry another action or other arguments. Its counter goes on.
    pub fn table_modify(
        &mut self,
        table: &str,
        key: &[Match],
        action: &str,
        arguments: &[Vec<u8>],
        priority: i32,
    ) -> Result<(), ControlError> {
        let table = self.mutable_table(table)?;
        let key = key_from(table, key, priority)?;
        let call = call_from(table, action, arguments)?;
        match table.entry_mut(&key) {
            Some(entry) => {
                entry.call = call;
                Ok(())
            }
            None => Err(refused(table, Refusal::NotFound)),
        }
    }

    /// Removes an entry.
    pub fn table_delete(
        &mut self,
        table: &str,
        key: &[Match],
        priority: i32,
    ) -> Result<(), ControlError> {
        let table = self.mutable_table(table)?;
        let key = key_from(table, key, priority)?;
        table.remove(&key).map_err(|refusal| refused(table, refusal))
    }

    /// The entry with this key and priority.
    pub fn table_entry(
        &self,
        table: &str,
        key: &[Match],
        priority: i32,
    ) -> Result<TableEntry, ControlError> {
        let table = self.table(table)?;
        let key = key_from(table, key, priority)?;
        match table.entry(&key) {
            Some(entry) => Ok(table_entry(table, entry)),
            None => Err(refused(table, Refusal::NotFound)),
        }
    }

    /// All entries, in no particular order.
    pub fn table_entries(&self, table: &str) -> Result<Vec<TableEntry>, ControlError> {
        let table = self.table(table)?;
        Ok(table.entries().map(|entry| table_entry(table, entry)).collect())
    }

    /// What the table does with packets that match no entry; None: nothing.
    pub fn table_default(&self, table: &str) -> Result<Option<DefaultEntry>, ControlError> {
        let table = self.table(table)?;
        Ok(table.default.as_ref().map(|default| {
            let (action, arguments) = action_of(table, &default.call);
            DefaultEntry { action, arguments, counter: default.counter }
        }))
    }

    /// Says what the table does with packets that match no entry.
    pub fn table_set_default(
        &mut self,
        table: &str,
        action: &str,
        arguments: &[Vec<u8>],
    ) -> Result<(), ControlError> {
        let table = self.find_table(table)?;
        let call = call_from(table, action, arguments)?;
        let current = table.default.as_ref().map(|default| default.call.action);
        if table.constant_default_entry
            || (table.constant_default_action && current != Some(call.action))
        {
            return Err(constant(table, "its default action is constant"));
        }
        let counter = table.default.take().map(|default| default.counter).unwrap_or_default();
        table.default = Some(DefaultCall { call, counter });
        Ok(())
    }

    /// Returns to the default entry that the program declares.
    pub fn table_reset_default(&mut self, table: &str) -> Result<(), ControlError> {
        let table = self.find_table(table)?;
        table.default = table.declared_default.clone();
        Ok(())
    }

    /// Sets the direct counter of an entry.
    pub fn table_set_counter(
        &mut self,
        table: &str,
        key: &[Match],
        priority: i32,
        value: CounterValue,
    ) -> Result<(), ControlError> {
        let table = self.find_table(table)?;
        if !table.direct_counter {
            return Err(super::invalid("table", &table.name, "it has no direct counter"));
        }
        let key = key_from(table, key, priority)?;
        match table.entry_mut(&key) {
            Some(entry) => {
                entry.counter = value;
                Ok(())
            }
            None => Err(refused(table, Refusal::NotFound)),
        }
    }

    fn table(&self, name: &str) -> Result<&Table, ControlError> {
        let position = self.table_position(name)?;
        Ok(&self.state.tables[position])
    }

    fn find_table(&mut self, name: &str) -> Result<&mut Table, ControlError> {
        let position = self.table_position(name)?;
        Ok(&mut self.state.tables[position])
    }

    /// A table whose entries may be changed.
    fn mutable_table(&mut self, name: &str) -> Result<&mut Table, ControlError> {
        let table = self.find_table(name)?;
        match table.constant_entries {
            false => Ok(table),
            true => Err(constant(table, "its entries are constant")),
        }
    }

    fn table_position(&self, name: &str) -> Result<usize, ControlError> {
        let tables = &self.state.tables;
        tables.iter().position(|table| table.name == name).ok_or_else(|| {
            let listed = tables.iter().filter(|table| !table.synthetic);
            unknown("table", name, listed.map(|table| &table.name))
        })
    }
}

fn table_info(table: &Table) -> TableInfo {
    TableInfo {
        name: table.name.clone(),
        size: table.size,
        key: table.fields.iter().map(key_info).collect(),
        actions: table.actions.iter().map(action_info).collect(),
        constant_entries: table.constant_entries,
        direct_counter: table.direct_counter,
        needs_priority: table.needs_priority(),
    }
}

fn table_entry(table: &Table, entry: &Entry) -> TableEntry {
    let (action, arguments) = action_of(table, &entry.call);
    let fields = table.fields.iter().zip(&entry.key.fields);
    TableEntry {
        key: fields.map(|(field, matched)| match_of(field, matched)).collect(),
        action,
        arguments,
        priority: entry.key.priority,
        counter: entry.counter,
    }
}

fn refused(table: &Table, refusal: Refusal) -> ControlError {
    let name = table.name.clone();
    match refusal {
        Refusal::Exists => ControlError::AlreadyExists { table: name },
        Refusal::NotFound => ControlError::EntryNotFound { table: name },
        Refusal::Full => ControlError::TableFull { table: name, size: table.size },
    }
}

fn constant(table: &Table, reason: &str) -> ControlError {
    ControlError::Constant { object: format!("table {}", table.name), reason: reason.to_string() }
}
