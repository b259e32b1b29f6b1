//! Multicast groups and clone sessions as Python sees them.

use engine::{CloneSession, Replica, Way, MAX_CLONE_SESSION, MAX_QUEUES, PORT_LIMIT};
use pyo3::prelude::*;

use crate::errors::from_replication;
use crate::ports::checked;

/// Port, instance and backups, these as port and instance.
pub(crate) type GivenReplica = (i128, i128, Vec<(i128, i128)>);

/// The same of the engine's.
type HeldReplica = (u16, u16, Vec<(u16, u16)>);

/// A multicast group's number and replicas.
pub(crate) type Group = (u16, Vec<HeldReplica>);

/// A clone session's number, replicas, class of service and packet length limit (0: none).
pub(crate) type Session = (u16, Vec<HeldReplica>, u8, u32);

pub(crate) fn group_number(group_id: i128) -> PyResult<u16> {
    Ok(checked("group_id", group_id, 1, i128::from(u16::MAX))? as u16)
}

pub(crate) fn session_number(session_id: i128) -> PyResult<u16> {
    Ok(checked("session_id", session_id, 0, i128::from(MAX_CLONE_SESSION))? as u16)
}

pub(crate) fn replicas(given: Vec<GivenReplica>) -> PyResult<Vec<Replica>> {
    let replica = |(port, instance, backups): GivenReplica| {
        Ok(Replica {
            primary: way((port, instance))?,
            backups: backups.into_iter().map(way).collect::<PyResult<_>>()?,
        })
    };
    given.into_iter().map(replica).collect()
}

fn way((port, instance): (i128, i128)) -> PyResult<Way> {
    Ok(Way {
        port: checked("port", port, 0, i128::from(PORT_LIMIT - 1))? as u16,
        instance: checked("instance", instance, 0, i128::from(u16::MAX))? as u16,
    })
}

pub(crate) fn session(
    given: Vec<GivenReplica>,
    class_of_service: i128,
    packet_length_bytes: i128,
) -> PyResult<CloneSession> {
    let last = i128::from(MAX_QUEUES - 1);
    let limit = checked("packet_length_bytes", packet_length_bytes, 0, i128::from(u32::MAX))?;
    Ok(CloneSession {
        replicas: replicas(given)?,
        class_of_service: checked("class_of_service", class_of_service, 0, last)? as u8,
        packet_length_bytes: (limit > 0).then_some(limit as u32),
    })
}

pub(crate) fn to_group(number: u16, replicas: &[Replica]) -> Group {
    (number, to_tuples(replicas))
}

pub(crate) fn to_session(number: u16, session: &CloneSession) -> Session {
    let limit = session.packet_length_bytes.unwrap_or(0);
    (number, to_tuples(&session.replicas), session.class_of_service, limit)
}

fn to_tuples(replicas: &[Replica]) -> Vec<HeldReplica> {
    let pair = |way: &Way| (way.port, way.instance);
    let tuple = |Replica { primary, backups }: &Replica| {
        (primary.port, primary.instance, backups.iter().map(pair).collect())
    };
    replicas.iter().map(tuple).collect()
}

/// What a read of one object gives, or of all.
pub(crate) fn one_or_all<T>(
    number: Option<u16>,
    kind: &str,
    all: impl Iterator<Item = (u16, T)>,
) -> PyResult<Vec<T>> {
    let Some(wanted) = number else {
        return Ok(all.map(|(_, object)| object).collect());
    };
    match all.into_iter().find(|(number, _)| *number == wanted) {
        Some((_, object)) => Ok(vec![object]),
        None => {
            Err(from_replication(engine::ReplicationError::NotFound(format!("{kind} {wanted}"))))
        }
    }
}
