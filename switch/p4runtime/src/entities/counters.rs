//! Counter arrays (P4Runtime 1.5, section 9.3.2).

use std::ops::Range;

use pipeline::Control;

use super::arrays::{selected, Cells};
use super::change::{check_modified, Change};
use super::cursor::Cursor;
use crate::messages::runtime::{CounterEntry, Entity, Index};
use crate::plane::Plane;
use crate::program::Counter;
use crate::status::Result;
use crate::values::counts;

/// Writes one cell, or all cells of the array if no index is given; nothing without data.
pub(super) fn write(plane: &mut Plane<'_>, change: Change, entry: &CounterEntry) -> Result {
    let counter = plane.program.counters.find(entry.counter_id)?;
    check_modified(counter, change)?;
    let cells = selected(counter.as_ref(), entry.index)?;
    if let Some(data) = &entry.data {
        let value = counts::counter(counter, data)?;
        plane.engine.control.counter_fill(&counter.name, cells, value)?;
    }
    Ok(())
}

/// The cells that a read asks for.
pub(super) fn read(plane: &mut Plane<'_>, wanted: &CounterEntry) -> Result<Box<dyn Cursor>> {
    Cells::boxed(&plane.program.counters, wanted.counter_id, wanted.index, tell)
}

fn tell(
    control: &Control<'_>,
    counter: &Counter,
    cells: Range<usize>,
    found: &mut Vec<Entity>,
) -> Result {
    let values = control.counter_cells(&counter.name)?.iter().copied().skip(cells.start);
    found.extend(cells.zip(values).map(|(cell, value)| {
        Entity::Counter(CounterEntry {
            counter_id: counter.id,
            index: Some(Index { index: cell as i64 }),
            data: Some(counts::counter_data(value)),
        })
    }));
    Ok(())
}
