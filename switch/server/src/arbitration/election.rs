//! Who is primary among the controllers of one role (P4Runtime 1.5, sections 5.3 and 5.4).

use std::sync::Arc;

use p4runtime::messages::streams::MasterArbitrationUpdate;
use p4runtime::messages::Status;
use p4runtime::{invalid, refusal, Code, Error};

use super::roles::Scope;
use crate::outbox::Outbox;

const MAX_CONTROLLERS: usize = 64;

/// Whom an update concerns, and what he is told, in order.
pub(crate) type Notices = Vec<(Arc<Outbox>, MasterArbitrationUpdate)>;

/// The live controllers of a role and their election ids.
///
/// The primary is the controller whose election id equals the highest ever received. A controller
/// without election id never becomes primary.
#[derive(Debug)]
pub(crate) struct Election {
    /// What the latest primary asked for.
    pub(crate) scope: Scope,
    device_id: u64,
    bids: Vec<(Arc<Outbox>, Option<u128>)>,
    highest: Option<u128>,
}

impl Election {
    pub(crate) fn new(device_id: u64, role: Arc<str>) -> Election {
        Election { scope: Scope::full(role), device_id, bids: Vec::new(), highest: None }
    }

    /// The controller that may write, if there is one.
    pub(crate) fn primary(&self) -> Option<&Arc<Outbox>> {
        self.highest?;
        self.bids.iter().find(|(_, held)| *held == self.highest).map(|(controller, _)| controller)
    }

    /// The highest election id ever received, if there was one.
    pub(crate) fn highest(&self) -> Option<u128> {
        self.highest
    }

    /// Whether a Write with this election id comes from the primary; none is no election id.
    pub(crate) fn is_primary(&self, election_id: Option<u128>) -> bool {
        election_id.is_some() && election_id == self.highest && self.primary().is_some()
    }

    pub(crate) fn has(&self, controller: &Arc<Outbox>) -> bool {
        self.bids.iter().any(|(other, _)| Arc::ptr_eq(other, controller))
    }

    /// Whether all its controllers have gone.
    pub(crate) fn is_deserted(&self) -> bool {
        self.bids.is_empty()
    }

    pub(crate) fn is_led_by(&self, controller: &Arc<Outbox>) -> bool {
        self.primary().is_some_and(|primary| Arc::ptr_eq(primary, controller))
    }

    /// Takes a bid. An error must end the controller's stream.
    pub(crate) fn bid(
        &mut self,
        controller: &Arc<Outbox>,
        election_id: Option<u128>,
        scope: Scope,
    ) -> Result<Notices, Error> {
        self.check(controller, election_id)?;
        let was_primary = self.is_led_by(controller);
        match self.bids.iter_mut().find(|(other, _)| Arc::ptr_eq(other, controller)) {
            Some((_, held)) => *held = election_id,
            None => self.bids.push((Arc::clone(controller), election_id)),
        }
        if election_id.is_some() && election_id >= self.highest {
            self.highest = election_id;
            self.scope = scope;
        } else if !was_primary {
            return Ok(vec![(Arc::clone(controller), self.standing(controller))]);
        }
        Ok(self.all(Some(controller)))
    }

    /// Forgets a controller whose stream has ended; without primary, all others are told.
    pub(crate) fn leave(&mut self, controller: &Arc<Outbox>) -> Notices {
        let was_primary = self.is_led_by(controller);
        self.bids.retain(|(other, _)| !Arc::ptr_eq(other, controller));
        if was_primary {
            self.all(None)
        } else {
            Notices::new()
        }
    }

    fn check(&self, controller: &Arc<Outbox>, election_id: Option<u128>) -> Result<(), Error> {
        if !self.has(controller) && self.bids.len() >= MAX_CONTROLLERS {
            return Err(refusal!(
                ResourceExhausted,
                "{MAX_CONTROLLERS} controllers are connected already"
            ));
        }
        let mut others = self.bids.iter().filter(|(other, _)| !Arc::ptr_eq(other, controller));
        match election_id {
            Some(id) if others.any(|(_, held)| *held == election_id) => {
                Err(invalid!("election id {id} is already used by another controller"))
            }
            _ => Ok(()),
        }
    }

    /// Backups hear of a change before the new primary does.
    fn all(&self, last: Option<&Arc<Outbox>>) -> Notices {
        let is_last = |controller: &Arc<Outbox>| last.is_some_and(|it| Arc::ptr_eq(it, controller));
        let others = self.bids.iter().map(|(controller, _)| controller);
        let others = others.filter(|controller| !is_last(controller));
        others
            .chain(last)
            .map(|controller| (Arc::clone(controller), self.standing(controller)))
            .collect()
    }

    /// Where a controller stands.
    fn standing(&self, controller: &Arc<Outbox>) -> MasterArbitrationUpdate {
        let (code, message) = match self.primary() {
            Some(primary) if Arc::ptr_eq(primary, controller) => (0, "you are primary"),
            Some(_) => (Code::AlreadyExists as i32, "another controller is primary"),
            None => (Code::NotFound as i32, "there is no primary"),
        };
        MasterArbitrationUpdate {
            device_id: self.device_id,
            role: self.scope.message(),
            election_id: self.highest.map(Into::into),
            status: Some(Status { code, message: message.to_owned(), details: Vec::new() }),
        }
    }
}
