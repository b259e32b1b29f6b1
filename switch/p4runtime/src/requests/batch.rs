//! A Write: its updates in the three atomicity modes, in parts that packets wait for one after the other
//! (P4Runtime 1.5, section 12.2).

use std::collections::HashSet;
use std::sync::Arc;

use prost::Message;

use super::cost::{self, Limits};
use crate::access::Access;
use crate::decoding::{decoded, part, Parts};
use crate::entities::{self, Change};
use crate::messages::requests::Update;
use crate::messages::runtime::{AnyEntity, Entity};
use crate::plane::{Loaded, Plane, Site};
use crate::status::{BatchStatus, Code, Error, Result, Results};

#[derive(Debug, Clone, Copy, PartialEq, Eq, prost::Enumeration)]
#[repr(i32)]
enum Atomicity {
    ContinueOnError = 0,
    RollbackOnError = 1,
    DataplaneAtomic = 2,
}

impl Atomicity {
    fn of(number: i32) -> Result<Atomicity> {
        Atomicity::try_from(number).map_err(|_| {
            let valid = "CONTINUE_ON_ERROR, ROLLBACK_ON_ERROR, DATAPLANE_ATOMIC";
            invalid!("unknown atomicity {number}; valid: {valid}")
        })
    }

    fn limits(self) -> Limits {
        match self {
            Atomicity::ContinueOnError => Limits::IN_PARTS,
            Atomicity::RollbackOnError => Limits::UNDONE_IN_PARTS,
            Atomicity::DataplaneAtomic => Limits::AT_ONCE,
        }
    }
}

/// A Write under way. Nothing else must be written or read before it is complete.
///
/// Updates are applied in order. Unless the mode is CONTINUE_ON_ERROR, the first failure undoes all;
/// the other updates' error is then ABORTED. With DATAPLANE_ATOMIC no packet is processed in between.
#[derive(Debug)]
pub struct Writing {
    updates: Arc<Parts>,
    atomicity: Atomicity,
    access: Access,
    /// Of which load of a program it writes the state.
    pub(crate) loads: u64,
    /// What the updates so far have cost.
    cost: usize,
    /// What undoes them, as messages `Entity`: they take less room so.
    undo: Vec<(Change, Vec<u8>)>,
    /// Arrays, cells and value sets of which `undo` has what was there at first.
    kept: HashSet<Vec<u8>>,
    /// Those of the updates so far.
    results: Results,
    /// Of the next update, because of which all are undone.
    failure: Option<Error>,
}

impl Writing {
    /// Of messages `Update`.
    pub(crate) fn new(
        updates: Parts,
        atomicity: i32,
        access: Access,
        loads: u64,
    ) -> Result<Writing> {
        Ok(Writing {
            results: Results::of(updates.len()),
            updates: Arc::new(updates),
            atomicity: Atomicity::of(atomicity)?,
            access,
            loads,
            cost: 0,
            undo: Vec::new(),
            kept: HashSet::new(),
            failure: None,
        })
    }

    /// Whether all has been applied, or undone.
    pub fn is_complete(&self) -> bool {
        match self.failure {
            None => self.results.len() == self.updates.len(),
            Some(_) => self.undo.is_empty(),
        }
    }

    /// What the updates have come to, once all have.
    pub fn status(&self) -> BatchStatus {
        match &self.failure {
            None => self.results.status("Write"),
            Some(error) => self.aborted(error).status("Write"),
        }
    }

    /// Applies, or undoes, a part. Packets wait meanwhile.
    pub(crate) fn go_on(&mut self, site: &mut Site<'_>, loaded: &mut Loaded) -> Result {
        let mut left = self.atomicity.limits().part;
        site.at_once(loaded, |plane| {
            while left > 0 && !self.is_complete() {
                let cost = match self.failure {
                    None => self.apply_next(plane),
                    Some(_) => self.undo_last(plane)?,
                };
                left = left.saturating_sub(cost);
            }
            Ok(())
        })?
    }

    /// Returns what it has cost; see [`cost`].
    fn apply_next(&mut self, plane: &mut Plane<'_>) -> usize {
        let updates = Arc::clone(&self.updates);
        let bytes = &updates[self.results.len()];
        let before = self.cost;
        self.cost += cost::of_bytes(bytes);
        match self.apply(plane, bytes) {
            Err(error) if self.atomicity != Atomicity::ContinueOnError => {
                self.failure = Some(error);
            }
            result => self.results.push(result),
        }
        self.cost - before
    }

    fn apply(&mut self, plane: &mut Plane<'_>, update: &[u8]) -> Result {
        let update: Update = part("p4.v1.Update", update)?;
        let (change, entity) = self.checked(plane, &update)?;
        let inverse = match self.atomicity {
            Atomicity::ContinueOnError => {
                self.spend(cost::of(plane, entity))?;
                Vec::new()
            }
            _ => self.inverse(plane, change, entity)?,
        };
        entities::check_request(plane, change, entity)?;
        entities::write(plane, change, entity)?;
        self.undo.extend(inverse);
        Ok(())
    }

    /// The updates that undo an update. Reads and writes are symmetric (section 8.2): what a read
    /// brings back, a write restores.
    fn inverse(
        &mut self,
        plane: &mut Plane<'_>,
        change: Change,
        entity: &Entity,
    ) -> Result<Vec<(Change, Vec<u8>)>> {
        let cost = cost::of(plane, entity);
        // Nothing can fail behind the last.
        let is_last = self.results.len() + 1 == self.updates.len();
        let is_kept = is_last || change == Change::Modify && self.is_kept(entity);
        self.spend(if is_kept { cost } else { cost + cost::of_keeping(plane, entity) })?;
        Ok(match change {
            _ if is_kept => Vec::new(),
            Change::Insert => vec![(Change::Delete, encoded(entity.clone()))],
            Change::Modify | Change::Delete => {
                let undo = match change {
                    Change::Delete => Change::Insert,
                    _ => Change::Modify,
                };
                let before = entities::present(plane, change, entity)?;
                before.into_iter().map(|entity| (undo, encoded(entity))).collect()
            }
        })
    }

    /// Whether what there is of cells or of a value set has been kept by an earlier update. Else it is
    /// from now on.
    fn is_kept(&mut self, entity: &Entity) -> bool {
        use Entity::{Counter, Meter, Register, ValueSet};
        if !matches!(entity, Register(_) | Counter(_) | Meter(_) | ValueSet(_)) {
            return false;
        }
        let wanted = entities::wildcards(entity.clone());
        let mut whole = wanted.clone();
        match &mut whole {
            Register(entry) => entry.index = None,
            Counter(entry) => entry.index = None,
            Meter(entry) => entry.index = None,
            _ => {}
        }
        self.kept.contains(&encoded(whole)) || !self.kept.insert(encoded(wanted))
    }

    /// Refuses what would make the Write cost too much. One update may cost whatever it does.
    fn spend(&mut self, cost: usize) -> Result {
        let limits = self.atomicity.limits();
        if self.results.len() > 0 && self.cost + cost > limits.most {
            return Err(limits.exceeded());
        }
        self.cost += cost;
        Ok(())
    }

    fn checked<'u>(&self, plane: &Plane<'_>, update: &'u Update) -> Result<(Change, &'u Entity)> {
        let entity = entities::of(update)?;
        self.access.check_write(plane.program, entity)?;
        Ok((Change::of(update.kind)?, entity))
    }

    /// Returns what it has cost; see [`cost`].
    fn undo_last(&mut self, plane: &mut Plane<'_>) -> Result<usize> {
        let Some((change, entity)) = self.undo.pop() else { return Ok(0) };
        let undone = decoded("p4.v1.Entity", &entity).and_then(|entity: AnyEntity| {
            let Some(entity) = entity.entity else { return Ok(0) };
            entities::write(plane, change, &entity).map(|()| cost::of(plane, &entity))
        });
        undone.map_err(|error| {
            refusal!(Internal, "the batch cannot be rolled back: {}", error.message)
        })
    }

    /// What all updates have come to, as the next one has failed and the others were undone, or never
    /// begun.
    fn aborted(&self, error: &Error) -> Results {
        let (position, all) = (self.results.len(), self.updates.len());
        let message = format!("rolled back, because update {} of {all} failed", position + 1);
        let aborted = Error::new(Code::Aborted, message);
        let mut results = Results::of(all);
        for other in 0..all {
            let error = if other == position { error } else { &aborted };
            results.push(Err(error.clone()));
        }
        results
    }
}

fn encoded(entity: Entity) -> Vec<u8> {
    AnyEntity { entity: Some(entity) }.encode_to_vec()
}
