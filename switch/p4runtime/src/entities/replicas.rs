//! Replicas in messages: where copies of packets go (P4Runtime 1.5, section 9.5).

use engine::{Replica, Way, PORT_LIMIT};

use crate::messages::runtime::{BackupReplica, PortKind, Replica as Message};
use crate::program::SdnStrings;
use crate::status::Result;
use crate::values::ports;

/// The engine's replicas. Refuses, naming `what` they belong to, a port or an instance that cannot be.
pub(super) fn from_messages(
    what: &str,
    messages: &[Message],
    names: Option<&SdnStrings>,
) -> Result<Vec<Replica>> {
    let replica = |(position, message): (usize, &Message)| {
        let replica = format!("replica {}", position + 1);
        let has = format!("{what}: {replica} has");
        let port = port(&has, message, names)?;
        let primary = Way { port, instance: instance(&has, message.instance)? };
        let has = format!("{what}: a backup of {replica} has");
        let backup = |backup: &BackupReplica| {
            let port = named_port(&has, &backup.port, names)?;
            Ok(Way { port, instance: instance(&has, backup.instance)? })
        };
        let backups = message.backup_replicas.iter().map(backup).collect::<Result<_>>()?;
        let has_egress_port = matches!(message.port_kind, Some(PortKind::EgressPort(_)));
        Ok(Replica { primary, backups, has_egress_port })
    };
    messages.iter().enumerate().map(replica).collect()
}

/// The messages of what the engine holds, each port in the field that it was written in.
pub(super) fn to_messages(replicas: &[Replica], names: Option<&SdnStrings>) -> Vec<Message> {
    let backup = |way: &Way| BackupReplica {
        port: ports::encode(way.port, names),
        instance: way.instance.into(),
    };
    let replica = |Replica { primary, backups, has_egress_port }: &Replica| Message {
        port_kind: Some(match has_egress_port {
            true => PortKind::EgressPort(primary.port.into()),
            false => PortKind::Port(ports::encode(primary.port, names)),
        }),
        instance: primary.instance.into(),
        backup_replicas: backups.iter().map(backup).collect(),
    };
    replicas.iter().map(replica).collect()
}

/// The port; `egress_port` is its older field.
fn port(has: &str, message: &Message, names: Option<&SdnStrings>) -> Result<u16> {
    match &message.port_kind {
        Some(PortKind::Port(port)) => named_port(has, port, names),
        Some(PortKind::EgressPort(number)) => ports::check((*number).into(), &has),
        None => {
            let last = PORT_LIMIT - 1;
            Err(invalid!("{has} no port; set port or egress_port (valid: 0 to {last})"))
        }
    }
}

fn named_port(has: &str, port: &[u8], names: Option<&SdnStrings>) -> Result<u16> {
    match port {
        [] => Err(refusal!(OutOfRange, "{has} an empty byte string as its port")),
        _ => ports::decode(port, &has, names),
    }
}

fn instance(has: &str, given: u32) -> Result<u16> {
    u16::try_from(given).map_err(|_| invalid!("{has} instance {given}; valid: 0 to {}", u16::MAX))
}
