//! How what a request finds is fetched: in parts, so that packets wait for none of them long.

use std::fmt::Debug;

use pipeline::ControlError;

use crate::messages::runtime::Entity;
use crate::plane::Plane;
use crate::status::Result;

/// What an entity of a table, a member or a group costs of a budget; a cell costs 1.
const ENTRY_COST: usize = 64;
/// What may be fetched while packets wait: 256 entries or 16,384 cells.
const BUDGET: usize = 1 << 14;

/// What has been fetched, and how much more may be until packets are to be processed again.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) found: Vec<Entity>,
    budget: usize,
}

impl Part {
    /// A part behind what was found before.
    pub(crate) fn behind(found: Vec<Entity>) -> Part {
        Part { found, budget: BUDGET }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.budget == 0
    }

    /// How many entries may be fetched; at least one.
    pub(crate) fn entries(&self) -> usize {
        (self.budget / ENTRY_COST).max(1)
    }

    /// How many cells may be fetched; at least one.
    pub(crate) fn cells(&self) -> usize {
        self.budget.max(1)
    }

    /// So many entries have been fetched, or looked at.
    pub(crate) fn spend_entries(&mut self, entries: usize) {
        self.budget = self.budget.saturating_sub(entries * ENTRY_COST);
    }

    /// So many cells have been fetched.
    pub(crate) fn spend_cells(&mut self, cells: usize) {
        self.budget = self.budget.saturating_sub(cells);
    }
}

/// What a request finds, to be fetched part after part. Nothing is written meanwhile.
pub(crate) trait Cursor: Debug + Send {
    /// Adds what comes next, as far as the part's budget goes. Tells whether there may be more.
    fn next(&mut self, plane: &mut Plane<'_>, part: &mut Part) -> Result<bool>;
}

/// What has been fetched already.
#[derive(Debug)]
pub(crate) struct Ready(pub(crate) Vec<Entity>);

impl Ready {
    pub(crate) fn boxed(entities: Vec<Entity>) -> Box<dyn Cursor> {
        Box::new(Ready(entities))
    }
}

impl Cursor for Ready {
    fn next(&mut self, _: &mut Plane<'_>, part: &mut Part) -> Result<bool> {
        part.spend_entries(self.0.len());
        part.found.append(&mut self.0);
        Ok(false)
    }
}

/// All that a cursor finds, at one instant.
pub(super) fn all(cursor: &mut dyn Cursor, plane: &mut Plane<'_>) -> Result<Vec<Entity>> {
    let mut found = Vec::new();
    let mut more = true;
    while more {
        let mut part = Part::behind(found);
        more = cursor.next(plane, &mut part)?;
        found = part.found;
    }
    Ok(found)
}

/// What the engine finds, or nothing.
pub(super) fn one_or_none<T>(found: Result<T, ControlError>) -> Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(ControlError::NotFound { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
