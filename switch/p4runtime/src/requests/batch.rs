//! The updates of one Write, in the three atomicity modes (P4Runtime 1.5, section 12.2).

use std::collections::HashSet;

use prost::Message;

use crate::access::Access;
use crate::entities::{self, Change};
use crate::messages::requests::Update;
use crate::messages::runtime::{AnyEntity, Entity};
use crate::plane::{Loaded, Plane, Site};
use crate::status::{invalid, Code, Error};

/// Updates that are applied while packets wait, in the modes that let packets see a part of a batch.
const CHUNK: usize = 64;

const ATOMICITIES: [&str; 3] = ["CONTINUE_ON_ERROR", "ROLLBACK_ON_ERROR", "DATAPLANE_ATOMIC"];
const CONTINUE_ON_ERROR: i32 = 0;
const ROLLBACK_ON_ERROR: i32 = 1;
const DATAPLANE_ATOMIC: i32 = 2;

/// Applies updates in order; for each one, what it has come to.
///
/// Unless the mode is CONTINUE_ON_ERROR, the first failure undoes all; the other updates' error is
/// then ABORTED. With DATAPLANE_ATOMIC no packet is processed in between.
pub(crate) fn apply(
    site: &mut Site<'_>,
    loaded: &mut Loaded,
    updates: &[Update],
    atomicity: i32,
    access: &Access,
) -> Result<Vec<Result<(), Error>>, Error> {
    let chunk = match atomicity {
        CONTINUE_ON_ERROR | ROLLBACK_ON_ERROR => CHUNK,
        DATAPLANE_ATOMIC => updates.len().max(1),
        _ => {
            let valid = ATOMICITIES.join(", ");
            return Err(invalid(format!("no atomicity is {atomicity}; valid: {valid}")));
        }
    };
    let mut batch =
        Batch { updates, access, undo: Vec::new(), kept: HashSet::new(), results: Vec::new() };
    while batch.results.len() < updates.len() {
        let failure = site.at_once(loaded, |plane| match atomicity {
            CONTINUE_ON_ERROR => {
                batch.go_on(plane, chunk);
                Ok(None)
            }
            _ => batch.all_or_none(plane, chunk),
        })??;
        if let Some(results) = failure {
            return Ok(results);
        }
    }
    Ok(batch.results)
}

/// A Write under way.
struct Batch<'a> {
    updates: &'a [Update],
    access: &'a Access,
    undo: Vec<(Change, Entity)>,
    /// Arrays, cells and value sets of which `undo` has what was there at first.
    kept: HashSet<Vec<u8>>,
    /// Those of the updates so far.
    results: Vec<Result<(), Error>>,
}

impl Batch<'_> {
    /// Applies the next updates, whatever becomes of each.
    fn go_on(&mut self, plane: &mut Plane<'_>, count: usize) {
        for update in self.updates.iter().skip(self.results.len()).take(count) {
            self.results.push(self.write(plane, update));
        }
    }

    /// Applies the next updates until one fails: then all are undone, before a packet comes, and what
    /// each has come to is returned.
    fn all_or_none(
        &mut self,
        plane: &mut Plane<'_>,
        count: usize,
    ) -> Result<Option<Vec<Result<(), Error>>>, Error> {
        for update in self.updates.iter().skip(self.results.len()).take(count) {
            match self.write_undoably(plane, update) {
                Ok(inverse) => self.undo.extend(inverse),
                Err(error) => {
                    roll_back(plane, &self.undo)?;
                    return Ok(Some(self.aborted(self.results.len(), &error)));
                }
            }
            self.results.push(Ok(()));
        }
        Ok(None)
    }

    fn write(&self, plane: &mut Plane<'_>, update: &Update) -> Result<(), Error> {
        let (change, entity) = self.checked(plane, update)?;
        if change != Change::Delete {
            entities::check_request(plane, entity)?;
        }
        entities::write(plane, change, entity)
    }

    /// Applies an update; returns the updates that undo it. Reads and writes are symmetric (section
    /// 8.2): what a read brings back, a write restores.
    fn write_undoably(
        &mut self,
        plane: &mut Plane<'_>,
        update: &Update,
    ) -> Result<Vec<(Change, Entity)>, Error> {
        let (change, entity) = self.checked(plane, update)?;
        let inverse = match change {
            Change::Insert => vec![(Change::Delete, entity.clone())],
            Change::Modify if self.is_kept(entity) => Vec::new(),
            Change::Modify | Change::Delete => {
                let undo = match change {
                    Change::Delete => Change::Insert,
                    _ => Change::Modify,
                };
                let before = entities::present(plane, change, entity)?;
                before.into_iter().map(|entity| (undo, entity)).collect()
            }
        };
        self.write(plane, update)?;
        Ok(inverse)
    }

    /// Whether what there is of cells or of a value set has been kept by an earlier update. Else it is
    /// from now on.
    fn is_kept(&mut self, entity: &Entity) -> bool {
        let mut whole = entities::wildcards(entity);
        match &mut whole {
            Entity::Register(entry) => entry.index = None,
            Entity::Counter(entry) => entry.index = None,
            Entity::Meter(entry) => entry.index = None,
            Entity::ValueSet(_) => {}
            _ => return false,
        }
        let key = |entity| AnyEntity { entity: Some(entity) }.encode_to_vec();
        self.kept.contains(&key(whole)) || !self.kept.insert(key(entities::wildcards(entity)))
    }

    fn checked<'u>(
        &self,
        plane: &Plane<'_>,
        update: &'u Update,
    ) -> Result<(Change, &'u Entity), Error> {
        let entity = update.entity.as_ref().and_then(|entity| entity.entity.as_ref());
        let entity = entity.ok_or_else(|| invalid("the update has no entity"))?;
        self.access.check_write(plane.program, entity)?;
        let change = match update.kind {
            1 => Change::Insert,
            2 => Change::Modify,
            3 => Change::Delete,
            0 => {
                return Err(invalid("the update has no type; valid: INSERT, MODIFY, DELETE"));
            }
            other => {
                let message =
                    format!("no update is of type {other}; valid: INSERT, MODIFY, DELETE");
                return Err(invalid(message));
            }
        };
        Ok((change, entity))
    }

    /// What all updates have come to, as one has failed and the others were undone, or never begun.
    fn aborted(&self, position: usize, error: &Error) -> Vec<Result<(), Error>> {
        let message = format!("the batch was rolled back, as update {position} failed");
        let aborted = Error::new(Code::Aborted, message);
        let result = |other| if other == position { error.clone() } else { aborted.clone() };
        (0..self.updates.len()).map(|other| Err(result(other))).collect()
    }
}

fn roll_back(plane: &mut Plane<'_>, undo: &[(Change, Entity)]) -> Result<(), Error> {
    for (change, entity) in undo.iter().rev() {
        entities::write(plane, *change, entity).map_err(|error| {
            let message = format!("the batch cannot be rolled back: {}", error.message);
            Error::new(Code::Internal, message)
        })?;
    }
    Ok(())
}
