//! Table entries with their direct counters and meters: Write and Read of TableEntry (P4Runtime 1.5,
//! section 9.1), and of what belongs to one.

mod defaults;
mod direct;
pub(super) mod direct_entries;
mod entries;
mod filter;
mod messages;

pub(crate) use entries::present;
pub(crate) use messages::told_entry;

use super::change::Change;
use super::cursor::Cursor;
use crate::messages::runtime::{
    CounterData, Entity, MeterConfig, MeterCounterData, TableEntry as Entry,
};
use crate::plane::Plane;
use crate::status::Result;
use entries::Entries;

/// Applies one update, or changes nothing.
pub(super) fn write(plane: &mut Plane<'_>, change: Change, entry: &Entry) -> Result {
    let table = plane.program.tables.find(entry.table_id)?;
    if entry.is_const {
        return Err(invalid!("is_const of {table} is the switch's to set"));
    }
    if change != Change::Delete {
        entries::check_attributes(table, entry)?;
        direct::check(table, entry)?;
    }
    match change {
        _ if entry.is_default_action => defaults::write(plane, table, change, entry),
        Change::Insert => entries::insert(plane, table, entry),
        Change::Modify => entries::modify(plane, table, entry),
        Change::Delete => entries::delete(plane, table, entry),
    }
}

/// The entries that pass the filter; its unset fields are wildcards (section 9.1.6).
pub(super) fn read(plane: &mut Plane<'_>, wanted: &Entry) -> Result<Box<dyn Cursor>> {
    let tables = plane.program.tables.wanted(wanted.table_id)?;
    filter::check_filter(wanted, &tables)?;
    if wanted.is_default_action {
        return defaults::read(plane, &tables, wanted);
    }
    Ok(Box::new(Entries::new(tables, wanted, |table, entry, wanted| {
        let message = messages::full(table, entry, wanted);
        filter::passes(&message, wanted).then(|| Entity::TableEntry(message.into()))
    })?))
}

/// Refuses what a controller may not write: counts by color, and default entries of tables with a
/// profile.
pub(super) fn check_request(plane: &Plane<'_>, change: Change, entry: &Entry) -> Result {
    if entry.is_default_action {
        defaults::check_request(plane.program.tables.find(entry.table_id)?, change)?;
    }
    match &entry.meter_counter_data {
        Some(data) => direct::check_meter_reset(plane, entry.table_id, data),
        None => Ok(()),
    }
}

/// What reads all entries, or all default entries, with their direct resources.
pub(super) fn wildcard(is_default_action: bool) -> Entity {
    Entity::TableEntry(Box::new(Entry {
        is_default_action,
        counter_data: Some(CounterData::default()),
        meter_config: Some(MeterConfig::default()),
        meter_counter_data: Some(MeterCounterData::default()),
        ..Entry::default()
    }))
}
