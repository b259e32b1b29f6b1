//! Replicas in messages: where copies of packets go (P4Runtime 1.5, section 9.5).

use std::fmt::Display;

use engine::{Replica, Way};

use crate::messages::runtime::{BackupReplica, PortKind, Replica as Message};
use crate::program::SdnStrings;
use crate::status::{invalid, Code, Error};
use crate::values::ports;

/// The engine's replicas. Refuses, naming `what` they belong to, a port or an instance that cannot be.
pub(super) fn from_messages(
    what: &str,
    messages: &[Message],
    names: Option<&SdnStrings>,
) -> Result<Vec<Replica>, Error> {
    let at = format!("{what} has a replica at");
    let backup = |backup: &BackupReplica| {
        let port = named_port(what, &at, &backup.port, names)?;
        Ok(Way { port, instance: instance(what, backup.instance)? })
    };
    let replica = |message: &Message| {
        let port = port(what, &at, message, names)?;
        let primary = Way { port, instance: instance(what, message.instance)? };
        let backups = message.backup_replicas.iter().map(backup).collect::<Result<_, Error>>()?;
        Ok(Replica { primary, backups })
    };
    messages.iter().map(replica).collect()
}

/// The messages of what the engine holds.
pub(super) fn to_messages(replicas: &[Replica], names: Option<&SdnStrings>) -> Vec<Message> {
    let backup = |way: &Way| BackupReplica {
        port: ports::encode(way.port, names),
        instance: way.instance.into(),
    };
    let replica = |Replica { primary, backups }: &Replica| Message {
        port_kind: Some(PortKind::Port(ports::encode(primary.port, names))),
        instance: primary.instance.into(),
        backup_replicas: backups.iter().map(backup).collect(),
    };
    replicas.iter().map(replica).collect()
}

/// The port; `egress_port` is its older field.
fn port(
    what: &str,
    at: &dyn Display,
    message: &Message,
    names: Option<&SdnStrings>,
) -> Result<u16, Error> {
    match &message.port_kind {
        Some(PortKind::Port(port)) => named_port(what, at, port, names),
        Some(PortKind::EgressPort(number)) => ports::check((*number).into(), at),
        None => Err(invalid(format!("{what} has a replica without port"))),
    }
}

fn named_port(
    what: &str,
    at: &dyn Display,
    port: &[u8],
    names: Option<&SdnStrings>,
) -> Result<u16, Error> {
    match port {
        [] => {
            let message = format!("{what} has a replica whose port is an empty byte string");
            Err(Error::new(Code::OutOfRange, message))
        }
        _ => ports::decode(port, at, names),
    }
}

fn instance(what: &str, given: u32) -> Result<u16, Error> {
    u16::try_from(given)
        .map_err(|_| invalid(format!("{what} has instance {given}; valid: 0 to {}", u16::MAX)))
}
