//! The direct counter and meter of a table entry (P4Runtime 1.5, section 9.1.7).

use pipeline::Match;

use crate::messages::runtime::{CounterData, MeterConfig, MeterCounterData, TableEntry};
use crate::plane::Plane;
use crate::program::{Meter, Table};
use crate::status::{Error, Result};
use crate::values::counts;

/// Where an entry is: its key, none for the default entry, and its priority.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) key: Option<&'a [Match]>,
    pub(super) priority: i32,
}

/// Refuses resources that the entry does not have, and invalid values.
pub(super) fn check(table: &Table, entry: &TableEntry) -> Result {
    if let Some(data) = &entry.counter_data {
        check_counter(table)?;
        counts::counter(&format_args!("direct counter of {table}"), data)?;
    }
    if let Some(config) = &entry.meter_config {
        counts::config(entry_meter(table, entry)?, config)?;
    }
    if let Some(data) = &entry.meter_counter_data {
        entry_meter(table, entry)?;
        counts::colors(table, data)?;
    }
    Ok(())
}

/// Refuses a table without direct counter.
pub(super) fn check_counter(table: &Table) -> Result {
    match table.direct_counter {
        Some(presence) => presence.check(format_args!("the direct counter of {table}")),
        None => Err(invalid!("{table} has no direct counter")),
    }
}

/// The direct meter of a table. Refuses a table without.
pub(super) fn meter(table: &Table) -> Result<&Meter> {
    let Some(meter) = &table.direct_meter else {
        return Err(invalid!("{table} has no direct meter"));
    };
    meter.presence.check(format_args!("the direct meter of {table}"))?;
    Ok(meter)
}

fn entry_meter<'t>(table: &'t Table, entry: &TableEntry) -> Result<&'t Meter> {
    let meter = meter(table)?;
    match entry.is_default_action {
        true => Err(no_default_meter(table)),
        false => Ok(meter),
    }
}

/// For requests about the meter of a default entry.
pub(super) fn no_default_meter(table: &Table) -> Error {
    refusal!(
        Unimplemented,
        "the default entry of {table} has no direct meter: packets that miss are not metered"
    )
}

/// Writes both as an entry says.
pub(super) fn write(
    plane: &mut Plane<'_>,
    table: &Table,
    place: Place<'_>,
    entry: &TableEntry,
) -> Result {
    write_counter(plane, table, place, entry.counter_data.as_ref())?;
    match (table.meter(), place.key) {
        (Some(meter), Some(_)) => {
            let (config, data) = (entry.meter_config.as_ref(), entry.meter_counter_data.as_ref());
            write_meter(plane, table, meter, place, config, data)
        }
        _ => Ok(()),
    }
}

/// Sets the direct counter of an entry; nothing without data.
pub(super) fn write_counter(
    plane: &mut Plane<'_>,
    table: &Table,
    Place { key, priority }: Place<'_>,
    data: Option<&CounterData>,
) -> Result {
    let Some(data) = data else { return Ok(()) };
    let value = counts::counter(&format_args!("direct counter of {table}"), data)?;
    let control = &mut plane.engine.control;
    match key {
        Some(key) => control.table_set_counter(&table.name, key, priority, value)?,
        None => control.default_set_counter(&table.name, value)?,
    }
    Ok(())
}

/// Configures the direct meter of an entry; without config every packet is green. Sets what it has
/// counted by color if that is given.
pub(super) fn write_meter(
    plane: &mut Plane<'_>,
    table: &Table,
    meter: &Meter,
    Place { key, priority }: Place<'_>,
    config: Option<&MeterConfig>,
    data: Option<&MeterCounterData>,
) -> Result {
    let what = format_args!("direct meter of {table}");
    let config = config.map(|config| counts::config(meter, config)).transpose()?;
    let counted = data.map(|data| counts::colors(&what, data)).transpose()?;
    let (control, key) = (&mut plane.engine.control, key.unwrap_or_default());
    control.table_meter_write(&table.name, key, priority, config)?;
    if let Some(counted) = counted {
        control.table_meter_set_counts(&table.name, key, priority, counted)?;
    }
    Ok(())
}

/// Refuses counts by color that a controller may not write.
pub(super) fn check_meter_reset(plane: &Plane<'_>, table: u32, data: &MeterCounterData) -> Result {
    let table = plane.program.tables.find(table)?;
    counts::check_reset(&format_args!("direct meter of {table}"), data)
}
