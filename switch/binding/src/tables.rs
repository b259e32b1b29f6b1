//! Tables as Python sees them.

use pipeline::{ColorCounts, CounterValue, NewEntry};
use pyo3::prelude::*;

use crate::control::{Action, TableEntry};
use crate::convert::{key, KeyField};
use crate::switch::Switch;

#[pymethods]
impl Switch {
    #[pyo3(signature = (table, key, action, priority=0, idle_timeout_ns=0))]
    fn table_insert(
        &self,
        py: Python<'_>,
        table: &str,
        key: Vec<KeyField>,
        action: Action,
        priority: i32,
        idle_timeout_ns: u64,
    ) -> PyResult<()> {
        let key = self::key(key);
        let entry =
            NewEntry { key, priority, action: action.0, idle_timeout_ns, metadata: Box::default() };
        self.control(py, |control| control.entry_insert(table, &entry))
    }

    #[pyo3(signature = (table, key, action, priority=0, idle_timeout_ns=0))]
    fn table_modify(
        &self,
        py: Python<'_>,
        table: &str,
        key: Vec<KeyField>,
        action: Action,
        priority: i32,
        idle_timeout_ns: u64,
    ) -> PyResult<()> {
        let key = self::key(key);
        let entry =
            NewEntry { key, priority, action: action.0, idle_timeout_ns, metadata: Box::default() };
        self.control(py, |control| control.entry_modify(table, &entry))
    }

    #[pyo3(signature = (table, key, priority=0))]
    fn table_delete(
        &self,
        py: Python<'_>,
        table: &str,
        key: Vec<KeyField>,
        priority: i32,
    ) -> PyResult<()> {
        let key = self::key(key);
        self.control(py, |control| control.table_delete(table, &key, priority))
    }

    #[pyo3(signature = (table, key, priority=0))]
    fn table_entry(
        &self,
        py: Python<'_>,
        table: &str,
        key: Vec<KeyField>,
        priority: i32,
    ) -> PyResult<TableEntry> {
        let key = self::key(key);
        self.control(py, |control| control.table_entry(table, &key, priority)).map(TableEntry)
    }

    fn table_entries(&self, py: Python<'_>, table: &str) -> PyResult<Vec<TableEntry>> {
        let entries = self.control(py, |control| control.table_entries(table))?;
        Ok(entries.into_iter().map(TableEntry).collect())
    }

    fn table_expired(&self, py: Python<'_>) -> PyResult<Vec<(String, TableEntry)>> {
        let expired = self.control(py, |control| Ok(control.table_expired()))?;
        Ok(expired.into_iter().map(|(table, entry)| (table, TableEntry(entry))).collect())
    }

    #[pyo3(signature = (table, key, packets, bytes, priority=0))]
    fn table_set_counter(
        &self,
        py: Python<'_>,
        table: &str,
        key: Option<Vec<KeyField>>,
        packets: u64,
        bytes: u64,
        priority: i32,
    ) -> PyResult<()> {
        let value = CounterValue { packets, bytes };
        let key = key.map(self::key);
        self.control(py, |control| match &key {
            Some(key) => control.table_set_counter(table, key, priority, value),
            None => control.default_set_counter(table, value),
        })
    }

    fn table_set_default(&self, py: Python<'_>, table: &str, action: Action) -> PyResult<()> {
        self.control(py, |control| control.default_set(table, &action.0))
    }

    fn table_reset_default(&self, py: Python<'_>, table: &str) -> PyResult<()> {
        self.control(py, |control| control.table_reset_default(table))
    }

    fn table_default(&self, py: Python<'_>, table: &str) -> PyResult<Option<TableEntry>> {
        let entry = self.control(py, |control| control.table_default(table))?;
        Ok(entry.map(|entry| {
            TableEntry(pipeline::TableEntry {
                key: Vec::new(),
                action: entry.action,
                priority: 0,
                counter: entry.counter,
                meter: None,
                meter_counts: ColorCounts::default(),
                idle_timeout_ns: 0,
                idle_ns: 0,
                metadata: entry.metadata,
            })
        }))
    }
}
