//! What registers, counters and meters have in common: arrays whose cells are read and written by
//! index (P4Runtime 1.5, sections 9.3.2, 9.4.2 and 9.7).

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;
use std::vec::IntoIter;

use pipeline::Control;

use super::cursor::{Cursor, Part};
use crate::messages::runtime::{Entity, Index};
use crate::plane::Plane;
use crate::program::objects::{Identified, Objects};
use crate::program::{Counter, Meter, Register};
use crate::status::Result;

/// An array of cells.
pub(super) trait Array: Identified + Debug + Send + Sync {
    /// How many it has, as P4Info and the compiled program agree.
    fn size(&self) -> usize;
}

macro_rules! arrays {
    ($($array:ty)*) => {$(
        impl Array for $array {
            fn size(&self) -> usize {
                usize::try_from(self.size).unwrap_or(0)
            }
        }
    )*};
}

arrays! { Counter Meter Register }

/// The cells that an entry means: its index, or without one all.
pub(super) fn selected(array: &impl Array, index: Option<Index>) -> Result<Range<usize>> {
    let size = array.size();
    let Some(Index { index }) = index else { return Ok(0..size) };
    match usize::try_from(index) {
        Ok(cell) if cell < size => Ok(cell..cell + 1),
        Ok(_) => {
            let valid = match size {
                0 => "none".to_owned(),
                _ => format!("0 to {}", size - 1),
            };
            Err(refusal!(OutOfRange, "{array} has no index {index}; valid: {valid}"))
        }
        Err(_) => Err(invalid!("{array} has no index {index}")),
    }
}

/// How many cells an entry means; none of an array that is not there.
pub(super) fn count<T: Array>(objects: &Objects<T>, id: u32, index: Option<Index>) -> usize {
    let array = objects.find(id).ok();
    array.and_then(|array| selected(array.as_ref(), index).ok()).map_or(0, |cells| cells.len())
}

/// Adds what some cells of an array hold.
type Tell<T> = fn(&Control<'_>, &T, Range<usize>, &mut Vec<Entity>) -> Result;

/// The cells that a request finds: those of an array, or (id 0) of all.
#[derive(Debug)]
pub(super) struct Cells<T> {
    /// The present array, and its cells that are still to be told.
    present: Option<(Arc<T>, Range<usize>)>,
    /// All of these are to be told, too.
    rest: IntoIter<Arc<T>>,
    tell: Tell<T>,
}

impl<T: Array + 'static> Cells<T> {
    pub(super) fn boxed(
        objects: &Objects<T>,
        id: u32,
        index: Option<Index>,
        tell: Tell<T>,
    ) -> Result<Box<dyn Cursor>> {
        if id == 0 && index.is_some() {
            return Err(invalid!("a read of all {}s cannot have an index", T::KIND));
        }
        let mut rest = objects.wanted(id)?.into_iter();
        let first = rest.next();
        let cells = first.map(|array| selected(array.as_ref(), index).map(|cells| (array, cells)));
        Ok(Box::new(Cells { present: cells.transpose()?, rest, tell }))
    }
}

impl<T: Array> Cursor for Cells<T> {
    fn next(&mut self, plane: &mut Plane<'_>, part: &mut Part) -> Result<bool> {
        let Some((array, cells)) = &mut self.present else { return Ok(false) };
        let end = cells.end.min(cells.start.saturating_add(part.cells()));
        let next = cells.start..end;
        part.spend_cells(next.len().max(1));
        (self.tell)(&plane.engine.control, array, next, &mut part.found)?;
        cells.start = end;
        if cells.start == cells.end {
            self.present = self.rest.next().map(|array| {
                let all = 0..array.size();
                (array, all)
            });
        }
        Ok(self.present.is_some())
    }
}
