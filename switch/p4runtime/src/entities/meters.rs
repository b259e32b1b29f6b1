//! Meter arrays (P4Runtime 1.5, section 9.4.2).

use std::ops::Range;

use pipeline::Control;

use super::arrays::{selected, Cells};
use super::change::{check_modified, Change};
use super::cursor::Cursor;
use crate::messages::runtime::{Entity, Index, MeterEntry};
use crate::plane::Plane;
use crate::program::Meter;
use crate::status::Result;
use crate::values::counts;

/// Configures one meter, or all of the array if no index is given; without config, as green. Sets what
/// it has counted by color if that is given.
pub(super) fn write(plane: &mut Plane<'_>, change: Change, entry: &MeterEntry) -> Result {
    let meter = plane.program.meters.find(entry.meter_id)?;
    check_modified(meter, change)?;
    let counted = entry.counter_data.map(|data| counts::colors(meter, &data)).transpose()?;
    let config = entry.config.map(|config| counts::config(meter, &config)).transpose()?;
    let cells = selected(meter.as_ref(), entry.index)?;
    let control = &mut plane.engine.control;
    control.meter_fill(&meter.name, cells.clone(), config)?;
    if let Some(counted) = counted {
        control.meter_fill_counts(&meter.name, cells, counted)?;
    }
    Ok(())
}

/// The meters that a read asks for, with what they have counted if that is wanted.
pub(super) fn read(plane: &mut Plane<'_>, wanted: &MeterEntry) -> Result<Box<dyn Cursor>> {
    let tell = if wanted.counter_data.is_some() { tell::<true> } else { tell::<false> };
    Cells::boxed(&plane.program.meters, wanted.meter_id, wanted.index, tell)
}

/// Refuses counts by color that a controller may not write.
pub(super) fn check_request(plane: &Plane<'_>, entry: &MeterEntry) -> Result {
    let meter = plane.program.meters.find(entry.meter_id)?;
    counts::check_reset(meter, &entry.counter_data.unwrap_or_default())
}

fn tell<const WITH_COUNTS: bool>(
    control: &Control<'_>,
    meter: &Meter,
    cells: Range<usize>,
    found: &mut Vec<Entity>,
) -> Result {
    let values = control.meter_cells(&meter.name, cells.start)?;
    found.extend(cells.zip(values).map(|(cell, (config, counted))| {
        Entity::Meter(Box::new(MeterEntry {
            meter_id: meter.id,
            index: Some(Index { index: cell as i64 }),
            config: config.map(counts::config_message),
            counter_data: WITH_COUNTS.then(|| counts::color_data(counted)),
        }))
    }));
    Ok(())
}
