//! Who gets copies of packets: multicast groups and clone sessions (P4Runtime's packet replication
//! engine).

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

/// A multicast group.
#[derive(Debug, Default)]
struct Group {
    replicas: Vec<Replica>,
    /// What the control plane attached to it.
    metadata: Box<[u8]>,
}

/// Multicast groups and clone sessions by their numbers.
#[derive(Debug, Default)]
pub struct ReplicationEngine {
    groups: BTreeMap<u16, Group>,
    sessions: BTreeMap<u16, CloneSession>,
}

impl ReplicationEngine {
    /// Adds a multicast group; its number is not 0. Copies are made in the order of `replicas`.
    pub fn insert_group(
        &mut self,
        group: u16,
        replicas: Vec<Replica>,
    ) -> Result<(), ReplicationError> {
        check_group(group, &replicas)?;
        let made = Group { replicas, metadata: Box::default() };
        insert(&mut self.groups, "multicast group", group, made)
    }

    /// Replaces the replicas of a multicast group.
    pub fn modify_group(
        &mut self,
        group: u16,
        replicas: Vec<Replica>,
    ) -> Result<(), ReplicationError> {
        check_group(group, &replicas)?;
        self.known_group(group)?.replicas = replicas;
        Ok(())
    }

    /// Attaches something to a group, in the place of what there was. It means nothing here, and goes
    /// with the group.
    pub fn attach(&mut self, group: u16, metadata: Box<[u8]>) -> Result<(), ReplicationError> {
        self.known_group(group)?.metadata = metadata;
        Ok(())
    }

    /// What is attached to a group.
    pub fn attached(&self, group: u16) -> &[u8] {
        self.groups.get(&group).map_or(&[], |known| &known.metadata)
    }

    fn known_group(&mut self, group: u16) -> Result<&mut Group, ReplicationError> {
        let known = self.groups.get_mut(&group);
        known.ok_or_else(|| ReplicationError::NotFound(format!("multicast group {group}")))
    }

    /// Removes a multicast group.
    pub fn delete_group(&mut self, group: u16) -> Result<(), ReplicationError> {
        delete(&mut self.groups, "multicast group", group)
    }

    /// The replicas of a multicast group.
    pub fn group(&self, group: u16) -> Option<&[Replica]> {
        self.groups.get(&group).map(|known| known.replicas.as_slice())
    }

    /// All multicast groups in the order of their numbers.
    pub fn groups(&self) -> impl Iterator<Item = (u16, &[Replica])> {
        self.groups_from(0)
    }

    /// Those from a number on.
    pub fn groups_from(&self, first: u16) -> impl Iterator<Item = (u16, &[Replica])> {
        self.groups.range(first..).map(|(&group, known)| (group, known.replicas.as_slice()))
    }

    /// Adds a clone session; its number is at most [`MAX_CLONE_SESSION`]. BMv2 has one of number 0.
    pub fn insert_session(
        &mut self,
        session: u16,
        config: CloneSession,
    ) -> Result<(), ReplicationError> {
        check_session(session, &config)?;
        insert(&mut self.sessions, "clone session", session, config)
    }

    /// Replaces a clone session.
    pub fn modify_session(
        &mut self,
        session: u16,
        config: CloneSession,
    ) -> Result<(), ReplicationError> {
        check_session(session, &config)?;
        modify(&mut self.sessions, "clone session", session, config)
    }

    /// Removes a clone session.
    pub fn delete_session(&mut self, session: u16) -> Result<(), ReplicationError> {
        delete(&mut self.sessions, "clone session", session)
    }

    /// A clone session.
    pub fn session(&self, session: u16) -> Option<&CloneSession> {
        self.sessions.get(&session)
    }

    /// All clone sessions in the order of their numbers.
    pub fn sessions(&self) -> impl Iterator<Item = (u16, &CloneSession)> {
        self.sessions_from(0)
    }

    /// Those from a number on.
    pub fn sessions_from(&self, first: u16) -> impl Iterator<Item = (u16, &CloneSession)> {
        self.sessions.range(first..).map(|(&session, config)| (session, config))
    }
}

fn insert<T>(
    map: &mut BTreeMap<u16, T>,
    kind: &str,
    number: u16,
    value: T,
) -> Result<(), ReplicationError> {
    if map.contains_key(&number) {
        return Err(ReplicationError::AlreadyExists(format!("{kind} {number}")));
    }
    map.insert(number, value);
    Ok(())
}

fn modify<T>(
    map: &mut BTreeMap<u16, T>,
    kind: &str,
    number: u16,
    value: T,
) -> Result<(), ReplicationError> {
    let entry = map.get_mut(&number);
    *entry.ok_or_else(|| ReplicationError::NotFound(format!("{kind} {number}")))? = value;
    Ok(())
}

fn delete<T>(map: &mut BTreeMap<u16, T>, kind: &str, number: u16) -> Result<(), ReplicationError> {
    let removed = map.remove(&number).map(drop);
    removed.ok_or_else(|| ReplicationError::NotFound(format!("{kind} {number}")))
}

fn check_group(group: u16, replicas: &[Replica]) -> Result<(), ReplicationError> {
    if group == 0 {
        let message = "multicast group 0 is out of range; valid are 1 to 65535";
        return Err(ReplicationError::Invalid(message.to_string()));
    }
    check_replicas(replicas)
}

fn check_session(session: u16, config: &CloneSession) -> Result<(), ReplicationError> {
    if session > MAX_CLONE_SESSION {
        return Err(ReplicationError::Invalid(format!(
            "clone session {session} is out of range; valid are 0 to {MAX_CLONE_SESSION}"
        )));
    }
    let last = MAX_QUEUES - 1;
    if config.class_of_service > last {
        let given = config.class_of_service;
        return Err(ReplicationError::Invalid(format!(
            "class of service {given} is out of range; valid are 0 to {last}"
        )));
    }
    check_replicas(&config.replicas)
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
