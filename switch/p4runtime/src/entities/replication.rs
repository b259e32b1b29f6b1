//! Multicast groups and clone sessions (P4Runtime 1.5, section 9.5).
//!
//! They belong to no object of the program. Port numbers are those of the switch.

use std::ops::Range;

use engine::{
    CloneSession, MulticastGroup, Numbered, ReplicationEngine, MAX_CLONE_SESSION, MAX_QUEUES,
};

use super::change::Change;
use super::cursor::{Cursor, Part};
use super::replicas::{from_messages, to_messages};
use crate::messages::runtime::{
    CloneSessionEntry, Entity, MulticastGroupEntry, PacketReplicationEngineEntry, Replication,
};
use crate::plane::Plane;
use crate::program::SdnStrings;
use crate::status::{Error, Result};

/// Applies one update, or changes nothing.
pub(super) fn write(
    plane: &mut Plane<'_>,
    change: Change,
    entry: &PacketReplicationEngineEntry,
) -> Result {
    let names = plane.program.ports.as_deref();
    let engine = &mut *plane.engine.replication;
    match &entry.kind {
        Some(Replication::Group(group)) => write_group(engine, names, change, group),
        Some(Replication::Session(session)) => write_session(engine, names, change, session),
        None => Err(empty()),
    }
}

/// Refuses a session of number 0. There is one if BMv2's runtime API has made it, which is carried over
/// to a new program like all others.
pub(super) fn check_request(entry: &PacketReplicationEngineEntry) -> Result {
    match &entry.kind {
        Some(Replication::Session(session)) => check_session_id(session.session_id),
        _ => Ok(()),
    }
}

/// Refuses what names no group or session.
pub(super) fn check_named(entry: &PacketReplicationEngineEntry) -> Result {
    match &entry.kind {
        Some(Replication::Group(group)) => group_number(group.multicast_group_id).map(drop),
        Some(Replication::Session(session)) => check_session_id(session.session_id),
        None => Err(empty()),
    }
}

/// One group or session, or with id 0 all; an empty entry is all of both.
pub(super) fn read(wanted: &PacketReplicationEngineEntry) -> Box<dyn Cursor> {
    let (group, session) = match &wanted.kind {
        None => (Some(0), Some(0)),
        Some(Replication::Group(group)) => (Some(group.multicast_group_id), None),
        Some(Replication::Session(session)) => (None, Some(session.session_id)),
    };
    Box::new(Replicated { groups: ids(group), sessions: ids(session) })
}

fn write_group(
    engine: &mut ReplicationEngine,
    names: Option<&SdnStrings>,
    change: Change,
    entry: &MulticastGroupEntry,
) -> Result {
    let number = group_number(entry.multicast_group_id)?;
    let what = format!("multicast group {number}");
    if change == Change::Delete {
        return Ok(engine.groups.delete(number)?);
    }
    let replicas = from_messages(&what, &entry.replicas, names)?;
    let group = MulticastGroup { replicas, metadata: entry.metadata.clone() };
    match change {
        Change::Modify => engine.groups.modify(number, group)?,
        _ => engine.groups.insert(number, group)?,
    }
    Ok(())
}

fn write_session(
    engine: &mut ReplicationEngine,
    names: Option<&SdnStrings>,
    change: Change,
    entry: &CloneSessionEntry,
) -> Result {
    let id = entry.session_id;
    let what = format!("clone session {id}");
    let number = u16::try_from(id).unwrap_or(u16::MAX);
    if change == Change::Delete {
        return Ok(engine.sessions.delete(number)?);
    }
    let replicas = from_messages(&what, &entry.replicas, names)?;
    let class_of_service = match u8::try_from(entry.class_of_service) {
        Ok(class) if class < MAX_QUEUES => class,
        _ => {
            let (given, last) = (entry.class_of_service, MAX_QUEUES - 1);
            return Err(invalid!("{what} has class_of_service {given}; valid: 0 to {last}"));
        }
    };
    let Ok(length) = u32::try_from(entry.packet_length_bytes) else {
        let given = entry.packet_length_bytes;
        return Err(invalid!("{what} has packet_length_bytes {given}"));
    };
    let packet_length_bytes = (length > 0).then_some(length);
    let session = CloneSession { replicas, class_of_service, packet_length_bytes };
    match change {
        Change::Modify => engine.sessions.modify(number, session)?,
        _ => engine.sessions.insert(number, session)?,
    }
    Ok(())
}

fn group_number(id: u32) -> Result<u16> {
    let what = format!("multicast group {id}");
    match u16::try_from(id) {
        Ok(0) => Err(no_id(&what)),
        Ok(number) => Ok(number),
        Err(_) => {
            let last = u16::MAX;
            Err(invalid!("{what} is out of range; valid are 1 to {last}"))
        }
    }
}

fn check_session_id(id: u32) -> Result {
    let what = format!("clone session {id}");
    match u16::try_from(id) {
        Ok(0) => Err(no_id(&what)),
        Ok(..=MAX_CLONE_SESSION) => Ok(()),
        _ => {
            let last = MAX_CLONE_SESSION;
            Err(invalid!("{what} is out of range; valid are 1 to {last}"))
        }
    }
}

fn empty() -> Error {
    invalid!(
        "the packet replication engine entry is empty; valid: multicast_group_entry, \
         clone_session_entry"
    )
}

fn no_id(what: &str) -> Error {
    invalid!("{what}: 0 is no id; it stands for all in reads")
}

/// Groups and sessions that are still to be told.
#[derive(Debug)]
struct Replicated {
    groups: Range<u32>,
    sessions: Range<u32>,
}

/// Those that a request names by id, if any; 0: all.
fn ids(wanted: Option<u32>) -> Range<u32> {
    match wanted {
        None => 0..0,
        Some(0) => 0..u32::MAX,
        Some(id) => id..id.saturating_add(1),
    }
}

/// The first that is still to be told, which is told then.
fn next<'e, T: engine::Replicated>(
    all: &'e Numbered<T>,
    untold: &mut Range<u32>,
) -> Option<(u32, &'e T)> {
    let (number, one) = all.from(u16::try_from(untold.start).ok()?).next()?;
    let number = u32::from(number);
    if !untold.contains(&number) {
        return None;
    }
    untold.start = number + 1;
    Some((number, one))
}

impl Cursor for Replicated {
    fn next(&mut self, plane: &mut Plane<'_>, part: &mut Part) -> Result<bool> {
        let names = plane.program.ports.as_deref();
        let engine = &*plane.engine.replication;
        while !part.is_full() {
            let (replicas, kind) =
                if let Some((number, group)) = next(&engine.groups, &mut self.groups) {
                    (group.replicas.len(), Replication::Group(group_message(number, group, names)))
                } else if let Some((number, session)) = next(&engine.sessions, &mut self.sessions) {
                    let message = session_message(number, session, names);
                    (session.replicas.len(), Replication::Session(message))
                } else {
                    return Ok(false);
                };
            part.spend_entries(1);
            part.spend_cells(replicas);
            let kind = Some(kind);
            part.found.push(Entity::Replication(PacketReplicationEngineEntry { kind }));
        }
        Ok(true)
    }
}

fn group_message(
    multicast_group_id: u32,
    group: &MulticastGroup,
    names: Option<&SdnStrings>,
) -> MulticastGroupEntry {
    let replicas = to_messages(&group.replicas, names);
    MulticastGroupEntry { multicast_group_id, replicas, metadata: group.metadata.clone() }
}

fn session_message(
    session_id: u32,
    session: &CloneSession,
    names: Option<&SdnStrings>,
) -> CloneSessionEntry {
    let length = session.packet_length_bytes.unwrap_or(0);
    CloneSessionEntry {
        session_id,
        replicas: to_messages(&session.replicas, names),
        class_of_service: session.class_of_service.into(),
        packet_length_bytes: i32::try_from(length).unwrap_or(i32::MAX),
    }
}
