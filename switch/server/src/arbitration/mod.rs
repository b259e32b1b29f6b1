//! Controllers, their roles and their rights on one device (P4Runtime 1.5, section 5).

pub(crate) mod election;
pub(crate) mod roles;

use std::sync::Arc;

use p4runtime::messages::streams::MasterArbitrationUpdate;
use p4runtime::{invalid, refusal, role_named, Access, Code, Error, Sender};

use crate::outbox::Outbox;
use election::{Election, Notices};
use roles::Scope;

const MAX_ROLES: usize = 64;

/// An election for each role that a controller has named, and first for the default role. Where there are
/// too many, the oldest that has no controller any more is forgotten, with its highest election id.
#[derive(Debug)]
pub(crate) struct Arbitration {
    device_id: u64,
    elections: Vec<Election>,
}

impl Arbitration {
    pub(crate) fn new(device_id: u64) -> Arbitration {
        Arbitration { device_id, elections: vec![Election::new(device_id, "".into())] }
    }

    /// The primary of each role that has one, with the role's scope.
    pub(crate) fn primaries(&self) -> Vec<(Arc<Outbox>, Scope)> {
        let led = |election: &Election| Some((election.primary()?.clone(), election.scope.clone()));
        self.elections.iter().filter_map(led).collect()
    }

    /// Whether a stream's controller is the primary of its role.
    pub(crate) fn is_primary(&self, controller: &Arc<Outbox>) -> bool {
        self.elections.iter().any(|election| election.is_led_by(controller))
    }

    /// Takes a bid; whom it concerns is to be told (section 5.3). An error must end the controller's
    /// stream.
    pub(crate) fn update(
        &mut self,
        controller: &Arc<Outbox>,
        request: &MasterArbitrationUpdate,
    ) -> Result<Notices, Error> {
        let role = request.role.as_ref().map_or("", |role| &role.name);
        self.check_stream(controller, request.device_id, role)?;
        let scope = Scope::of(request.role.as_ref())?;
        self.check_exclusive(&scope)?;
        let election_id = request.election_id.map(u128::from);
        if let Some(election) = self.election_mut(role) {
            return election.bid(controller, election_id, scope);
        }
        let is_full = self.elections.len() >= MAX_ROLES;
        let deserted = self.elections.iter().skip(1).position(Election::is_deserted);
        if is_full && deserted.is_none() {
            return Err(refusal!(ResourceExhausted, "{MAX_ROLES} roles have controllers already"));
        }
        let mut election = Election::new(self.device_id, Arc::clone(&scope.role));
        let notices = election.bid(controller, election_id, scope)?;
        if let Some(place) = deserted.filter(|_| is_full) {
            self.elections.remove(1 + place);
        }
        self.elections.push(election);
        Ok(notices)
    }

    /// Forgets a controller whose stream has ended.
    pub(crate) fn leave(&mut self, controller: &Arc<Outbox>) -> Notices {
        let mut left = self.elections.iter_mut().filter(|election| election.has(controller));
        left.next().map_or_else(Notices::new, |election| election.leave(controller))
    }

    /// The scope of the primary that a request says it comes from.
    pub(crate) fn writer(&self, sender: &Sender) -> Result<&Scope, Error> {
        let election = self.election(&sender.role)?;
        if election.is_primary(sender.election_id) {
            return Ok(&election.scope);
        }
        let who = match sender.election_id {
            None => "a request without election id".to_owned(),
            Some(id) => format!("election id {id}"),
        };
        Err(refusal!(PermissionDenied, "{who} may not write: {}", primary_of(election)))
    }

    /// The scope of a role that somebody has named.
    pub(crate) fn reader(&self, role: &str) -> Result<&Scope, Error> {
        Ok(&self.election(role)?.scope)
    }

    /// What a role may write, and is told of when it reads by role.
    pub(crate) fn access(&self, scope: &Scope) -> Access {
        let others = self.elections.iter().map(|election| &election.scope);
        let others = others.filter(|other| other.role != scope.role);
        let of_others = others
            .flat_map(|other| other.exclusive_ids().iter().map(|&id| (id, other.role.to_string())));
        Access {
            role: scope.role.to_string(),
            own: scope.own_ids(),
            of_others: of_others.collect(),
        }
    }

    /// Whether a role is told of an object.
    pub(crate) fn may_access(&self, scope: &Scope, id: u32) -> bool {
        self.access(scope).has(id)
    }

    fn election(&self, role: &str) -> Result<&Election, Error> {
        let found = self.elections.iter().find(|election| &*election.scope.role == role);
        found.ok_or_else(|| {
            let names = self.elections.iter().map(|election| match &*election.scope.role {
                "" => "unset (the default role)",
                name => name,
            });
            let valid = names.collect::<Vec<_>>().join(", ");
            refusal!(NotFound, "no controller has role {role}; valid: {valid}")
        })
    }

    fn election_mut(&mut self, role: &str) -> Option<&mut Election> {
        self.elections.iter_mut().find(|election| &*election.scope.role == role)
    }

    fn check_stream(
        &self,
        controller: &Arc<Outbox>,
        device_id: u64,
        role: &str,
    ) -> Result<(), Error> {
        let election = self.elections.iter().find(|election| election.has(controller));
        if device_id != self.device_id {
            let code = election.map_or(Code::NotFound, |_| Code::FailedPrecondition);
            let message = format!("no device has id {device_id}; valid: {}", self.device_id);
            return Err(Error::new(code, message));
        }
        match election {
            Some(election) if &*election.scope.role != role => {
                let (own, other) = (role_named(&election.scope.role), role_named(role));
                Err(refusal!(
                    FailedPrecondition,
                    "this stream is that of {own}; open another one for {other}"
                ))
            }
            _ => Ok(()),
        }
    }

    fn check_exclusive(&self, scope: &Scope) -> Result<(), Error> {
        let others = self.elections.iter().map(|election| &election.scope);
        for other in others.filter(|other| other.role != scope.role) {
            let both = other.exclusive_ids().iter().filter(|id| scope.exclusive_ids().contains(id));
            if let Some(id) = both.min() {
                let role = &other.role;
                return Err(invalid!("object {id:#010x} is exclusive to role {role} already"));
            }
        }
        Ok(())
    }
}

fn primary_of(election: &Election) -> String {
    let role = role_named(&election.scope.role);
    match (election.highest(), election.primary()) {
        (None, _) => format!("{role} has no primary yet"),
        (Some(id), None) => format!("{role} has no primary since election id {id} has gone"),
        (Some(id), Some(_)) => format!("the primary of {role} has election id {id}"),
    }
}
