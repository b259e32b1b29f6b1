//! Who gets copies of packets: multicast groups and clone sessions (P4Runtime's packet replication
//! engine).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use thiserror::Error;

use crate::config::{MAX_QUEUES, PORT_LIMIT};

/// The highest number of a clone session; BMv2 keeps 15 bits.
pub const MAX_CLONE_SESSION: u16 = 0x7fff;

/// A way that a copy may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Way {
    /// The egress port. One that the switch does not have loses what egress lets through.
    pub port: u16,
    /// What tells the copy from others: `standard_metadata.egress_rid`.
    pub instance: u16,
}

/// Where a copy goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replica {
    /// Its way while that port is up.
    pub primary: Way,
    /// Those tried next, the most preferred first.
    pub backups: Vec<Way>,
    /// Whether the controller wrote the port as `egress_port`, P4Runtime's deprecated number. Reads
    /// return it in that field; the engine does not use this.
    pub has_egress_port: bool,
}

impl Replica {
    /// A replica without backups.
    pub fn new(port: u16, instance: u16) -> Self {
        Replica { primary: Way { port, instance }, backups: Vec::new(), has_egress_port: false }
    }

    /// The first way whose port is up; if none is, the primary, where the copy is lost.
    #[inline]
    pub(crate) fn way(&self, up_ports: &BTreeSet<u16>) -> Way {
        if self.backups.is_empty() {
            return self.primary;
        }
        let mut ways = self.ways();
        ways.find(|way| up_ports.contains(&way.port)).unwrap_or(self.primary)
    }

    fn ways(&self) -> impl Iterator<Item = Way> + '_ {
        std::iter::once(self.primary).chain(self.backups.iter().copied())
    }
}

/// Where copies of a packet go that is multicast.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MulticastGroup {
    /// One copy each, made in this order.
    pub replicas: Vec<Replica>,
    /// What the control plane keeps with the group. It means nothing here.
    pub metadata: Vec<u8>,
}

/// What becomes of clones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CloneSession {
    /// One copy each.
    pub replicas: Vec<Replica>,
    /// The clones' priority.
    pub class_of_service: u8,
    /// The most bytes of a clone that leave; none: all.
    pub packet_length_bytes: Option<u32>,
}

/// Why the replication engine refused a call. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplicationError {
    /// There is one already.
    #[error("{0} exists already")]
    AlreadyExists(String),
    /// There is none.
    #[error("there is no {0}")]
    NotFound(String),
    /// The argument cannot be.
    #[error("{0}")]
    Invalid(String),
}

/// Multicast groups and clone sessions.
#[derive(Debug, Default)]
pub struct ReplicationEngine {
    /// By numbers from 1.
    pub groups: Numbered<MulticastGroup>,
    /// By numbers up to [`MAX_CLONE_SESSION`]. BMv2 has one of number 0.
    pub sessions: Numbered<CloneSession>,
}

/// What has replicas.
pub trait Replicated {
    /// What messages call it.
    const KIND: &'static str;

    /// Refuses a number or a content that it cannot have.
    fn check(&self, number: u16) -> Result<(), ReplicationError>;
}

/// Groups or sessions by their numbers.
#[derive(Debug)]
pub struct Numbered<T>(BTreeMap<u16, T>);

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered(BTreeMap::new())
    }
}

impl<T: Replicated> Numbered<T> {
    /// Adds one.
    pub fn insert(&mut self, number: u16, new: T) -> Result<(), ReplicationError> {
        new.check(number)?;
        match self.0.entry(number) {
            Entry::Occupied(_) => Err(ReplicationError::AlreadyExists(named::<T>(number))),
            Entry::Vacant(place) => {
                place.insert(new);
                Ok(())
            }
        }
    }

    /// Replaces one.
    pub fn modify(&mut self, number: u16, new: T) -> Result<(), ReplicationError> {
        new.check(number)?;
        *self.0.get_mut(&number).ok_or_else(|| not_found::<T>(number))? = new;
        Ok(())
    }

    /// Removes one.
    pub fn delete(&mut self, number: u16) -> Result<(), ReplicationError> {
        self.0.remove(&number).map(drop).ok_or_else(|| not_found::<T>(number))
    }

    /// The one of a number.
    pub fn get(&self, number: u16) -> Option<&T> {
        self.0.get(&number)
    }

    /// Those from a number on, in the order of their numbers.
    pub fn from(&self, first: u16) -> impl Iterator<Item = (u16, &T)> {
        self.0.range(first..).map(|(&number, one)| (number, one))
    }
}

fn named<T: Replicated>(number: u16) -> String {
    format!("{} {number}", T::KIND)
}

fn not_found<T: Replicated>(number: u16) -> ReplicationError {
    ReplicationError::NotFound(named::<T>(number))
}

impl Replicated for MulticastGroup {
    const KIND: &'static str = "multicast group";

    fn check(&self, number: u16) -> Result<(), ReplicationError> {
        if number == 0 {
            let message = "multicast group 0 is out of range; valid are 1 to 65535";
            return Err(ReplicationError::Invalid(message.to_string()));
        }
        check_replicas(&self.replicas)
    }
}

impl Replicated for CloneSession {
    const KIND: &'static str = "clone session";

    fn check(&self, number: u16) -> Result<(), ReplicationError> {
        if number > MAX_CLONE_SESSION {
            return Err(ReplicationError::Invalid(format!(
                "clone session {number} is out of range; valid are 0 to {MAX_CLONE_SESSION}"
            )));
        }
        let (given, last) = (self.class_of_service, MAX_QUEUES - 1);
        if given > last {
            return Err(ReplicationError::Invalid(format!(
                "class of service {given} is out of range; valid are 0 to {last}"
            )));
        }
        check_replicas(&self.replicas)
    }
}

impl From<Vec<Replica>> for MulticastGroup {
    fn from(replicas: Vec<Replica>) -> Self {
        MulticastGroup { replicas, metadata: Vec::new() }
    }
}

fn check_replicas(replicas: &[Replica]) -> Result<(), ReplicationError> {
    let mut known = HashSet::new();
    for Way { port, instance } in replicas.iter().flat_map(Replica::ways) {
        if port >= PORT_LIMIT {
            return Err(ReplicationError::Invalid(format!(
                "the replica's port {port} is out of range; valid are 0 to {}",
                PORT_LIMIT - 1
            )));
        }
        if !known.insert((port, instance)) {
            return Err(ReplicationError::Invalid(format!(
                "the replica for port {port}, instance {instance} is given twice"
            )));
        }
    }
    let has_own_port = |replica: &&Replica| {
        replica.backups.iter().any(|backup| backup.port == replica.primary.port)
    };
    match replicas.iter().find(has_own_port) {
        Some(replica) => Err(ReplicationError::Invalid(format!(
            "the replica for port {} has a backup at the same port",
            replica.primary.port
        ))),
        None => Ok(()),
    }
}
