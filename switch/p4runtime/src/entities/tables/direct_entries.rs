//! DirectCounterEntry and DirectMeterEntry (P4Runtime 1.5, sections 9.3.1 and 9.4.1).

use std::sync::Arc;

use pipeline::{CounterValue, Match};

use super::super::change::{check_modified, Change};
use super::super::cursor::{Cursor, Part, Ready};
use super::direct::{self, Place};
use super::entries::{self, checked_key, Entries};
use super::filter::check_default;
use super::messages::{default_place, place};
use crate::messages::runtime::{
    DirectCounterEntry, DirectMeterEntry, Entity, MeterCounterData, TableEntry as Entry,
};
use crate::plane::Plane;
use crate::program::Table;
use crate::status::{Error, Result};
use crate::values::counts;

/// Writes the counter of one entry; nothing without data.
pub(crate) fn write_counter(
    plane: &mut Plane<'_>,
    change: Change,
    entry: &DirectCounterEntry,
) -> Result {
    let wanted = &entry.table_entry;
    let table = Arc::clone(plane.program.tables.find(wanted.table_id)?);
    direct::check_counter(&table)?;
    check_modified(format_args!("the direct counter of {table}"), change)?;
    let key = existing_key(plane, &table, wanted)?;
    let place = Place { key: key.as_deref(), priority: wanted.priority };
    direct::write_counter(plane, &table, place, entry.data.as_ref())
}

/// Configures the meter of one entry; without config, as green. Sets what it has counted by color if
/// that is given.
pub(crate) fn write_meter(
    plane: &mut Plane<'_>,
    change: Change,
    entry: &DirectMeterEntry,
) -> Result {
    let wanted = &entry.table_entry;
    let table = Arc::clone(plane.program.tables.find(wanted.table_id)?);
    let meter = direct::meter(&table)?;
    check_modified(format_args!("the direct meter of {table}"), change)?;
    if wanted.is_default_action {
        return Err(direct::no_default_meter(&table));
    }
    let key = existing_key(plane, &table, wanted)?;
    let place = Place { key: key.as_deref(), priority: wanted.priority };
    let (config, data) = (entry.config.as_ref(), entry.counter_data.as_ref());
    direct::write_meter(plane, &table, meter, place, config, data)
}

/// Direct counters of one entry, of a table's entries, or (table id 0) of all tables. Refuses a match
/// that no entry has.
pub(crate) fn read_counter(
    plane: &mut Plane<'_>,
    wanted: &DirectCounterEntry,
) -> Result<Box<dyn Cursor>> {
    let wanted = &wanted.table_entry;
    let tables = wanted_tables(plane, wanted, direct::check_counter, Table::counts)?;
    if wanted.is_default_action {
        let mut found = Vec::new();
        for table in &tables {
            check_default(table, wanted)?;
            found.push(default_counter(plane, table)?);
        }
        return Ok(Ready::boxed(found));
    }
    read_entries(tables, wanted, |table, entry, _| {
        Some(counter(place(table, entry), entry.counter))
    })
}

/// Direct meters likewise.
pub(crate) fn read_meter(
    plane: &mut Plane<'_>,
    wanted: &DirectMeterEntry,
) -> Result<Box<dyn Cursor>> {
    let mut entry = wanted.table_entry.clone();
    let check = |table: &Table| direct::meter(table).map(drop);
    let tables = wanted_tables(plane, &entry, check, |table| table.meter().is_some())?;
    if entry.is_default_action {
        return Ok(Ready::boxed(Vec::new()));
    }
    // How the cursor knows that counts are wanted.
    entry.meter_counter_data = wanted.counter_data.map(|_| MeterCounterData::default());
    read_entries(tables, &entry, |table, entry, wanted| {
        Some(meter(table, entry, wanted.meter_counter_data.is_some()))
    })
}

/// Refuses counts by color that a controller may not write.
pub(crate) fn check_meter_request(plane: &Plane<'_>, entry: &DirectMeterEntry) -> Result {
    let table = entry.table_entry.table_id;
    direct::check_meter_reset(plane, table, &entry.counter_data.unwrap_or_default())
}

/// The direct counter of the one entry with the key given.
pub(crate) fn present_counter(
    plane: &mut Plane<'_>,
    wanted: &DirectCounterEntry,
) -> Result<Vec<Entity>> {
    let wanted = &wanted.table_entry;
    let table = Arc::clone(plane.program.tables.find(wanted.table_id)?);
    direct::check_counter(&table)?;
    if wanted.is_default_action {
        return Ok(vec![default_counter(plane, &table)?]);
    }
    let entry = entries::find(plane, &table, wanted)?;
    Ok(vec![counter(place(&table, &entry), entry.counter)])
}

/// The direct meter of the one entry with the key given.
pub(crate) fn present_meter(
    plane: &mut Plane<'_>,
    wanted: &DirectMeterEntry,
) -> Result<Vec<Entity>> {
    let entry = &wanted.table_entry;
    let table = Arc::clone(plane.program.tables.find(entry.table_id)?);
    direct::meter(&table)?;
    let found = entries::find(plane, &table, entry)?;
    Ok(vec![meter(&table, &found, wanted.counter_data.is_some())])
}

/// The table that is wanted, which must have the resource, or all that have it.
fn wanted_tables(
    plane: &Plane<'_>,
    wanted: &Entry,
    check: impl Fn(&Table) -> Result,
    has: impl Fn(&Table) -> bool,
) -> Result<Vec<Arc<Table>>> {
    let mut tables = plane.program.tables.wanted(wanted.table_id)?;
    match wanted.table_id {
        0 => tables.retain(|table| has(table)),
        _ => tables.iter().try_for_each(|table| check(table))?,
    }
    Ok(tables)
}

fn read_entries(
    tables: Vec<Arc<Table>>,
    wanted: &Entry,
    tell: fn(&Table, &pipeline::TableEntry, &Entry) -> Option<Entity>,
) -> Result<Box<dyn Cursor>> {
    if wanted.table_id == 0 && !wanted.key.is_empty() {
        return Err(invalid!("a read of all tables' direct resources cannot be filtered by match"));
    }
    let missing = match (tables.first(), &wanted.key[..]) {
        (Some(table), [_, ..]) => Some(refusal!(NotFound, "{table} has no such entry")),
        _ => None,
    };
    let entries = Entries::new(tables, wanted, tell)?;
    Ok(Box::new(Named { entries, missing }))
}

/// Entries of which one must be there, if they are asked for by a match.
#[derive(Debug)]
struct Named {
    entries: Entries,
    /// What is wrong if none is found.
    missing: Option<Error>,
}

impl Cursor for Named {
    fn next(&mut self, plane: &mut Plane<'_>, part: &mut Part) -> Result<bool> {
        let before = part.found.len();
        let more = self.entries.next(plane, part)?;
        if part.found.len() > before {
            self.missing = None;
        }
        match self.missing.take_if(|_| !more) {
            Some(error) => Err(error),
            None => Ok(more),
        }
    }
}

fn counter(table_entry: Entry, value: CounterValue) -> Entity {
    let data = Some(counts::counter_data(value));
    Entity::DirectCounter(Box::new(DirectCounterEntry { table_entry, data }))
}

fn default_counter(plane: &Plane<'_>, table: &Table) -> Result<Entity> {
    let entry = plane.engine.control.table_default(&table.name)?;
    let value = entry.map_or_else(CounterValue::default, |entry| entry.counter);
    Ok(counter(default_place(table), value))
}

fn meter(table: &Table, entry: &pipeline::TableEntry, with_counts: bool) -> Entity {
    Entity::DirectMeter(Box::new(DirectMeterEntry {
        table_entry: place(table, entry),
        config: entry.meter.map(counts::config_message),
        counter_data: with_counts.then(|| counts::color_data(entry.meter_counts)),
    }))
}

/// The key of an entry that is there; none is that of the default entry.
fn existing_key(plane: &Plane<'_>, table: &Table, entry: &Entry) -> Result<Option<Vec<Match>>> {
    if entry.is_default_action {
        check_default(table, entry)?;
        return Ok(None);
    }
    entries::find(plane, table, entry)?;
    checked_key(table, entry).map(Some)
}
