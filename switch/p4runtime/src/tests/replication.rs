//! Multicast groups and clone sessions (P4Runtime 1.5, section 9.5).

use engine::Replica as EngineReplica;

use super::device::{Device, DATAPLANE_ATOMIC, ROLLBACK_ON_ERROR};
use super::random::Random;
use crate::entities::Change;
use crate::messages::runtime::{
    BackupReplica, CloneSessionEntry, Entity, MulticastGroupEntry, PacketReplicationEngineEntry,
    PortKind, Replica, Replication,
};
use crate::status::Code;

const KINDS: &str = "tests/programs/kinds";

fn entity(kind: Replication) -> Entity {
    Entity::Replication(PacketReplicationEngineEntry { kind: Some(kind) })
}

fn group_of(multicast_group_id: u32, replicas: Vec<Replica>) -> Entity {
    let metadata = format!("of {multicast_group_id}").into_bytes();
    entity(Replication::Group(MulticastGroupEntry { multicast_group_id, replicas, metadata }))
}

fn session_of(session_id: u32, replicas: Vec<Replica>) -> Entity {
    let (class_of_service, packet_length_bytes) = (session_id % 8, (session_id % 3 * 64) as i32);
    entity(Replication::Session(CloneSessionEntry {
        session_id,
        replicas,
        class_of_service,
        packet_length_bytes,
    }))
}

fn replica(port: &[u8], instance: u32) -> Replica {
    let port_kind = Some(PortKind::Port(port.to_vec()));
    Replica { port_kind, instance, backup_replicas: Vec::new() }
}

fn backed(port: &[u8], backups: &[(&[u8], u32)]) -> Replica {
    let backup = |&(port, instance): &(&[u8], u32)| BackupReplica { port: port.to_vec(), instance };
    Replica { backup_replicas: backups.iter().map(backup).collect(), ..replica(port, 0) }
}

fn all() -> Entity {
    Entity::Replication(PacketReplicationEngineEntry::default())
}

#[test]
fn groups_and_sessions_read_back_as_written_by_id_and_all() {
    let mut device = Device::of(KINDS);
    let group = group_of(3, vec![replica(b"\x01", 7), backed(b"\x01\xfe", &[(b"\x02", 1)])]);
    let session = session_of(32_767, vec![replica(b"\x00", 0)]);
    device.insert(group.clone()).unwrap();
    device.insert(session.clone()).unwrap();
    let both = vec![group.clone(), session.clone()];
    for (wanted, found) in [
        (all(), both),
        (group_of(0, vec![]), vec![group.clone()]),
        (session_of(0, vec![]), vec![session.clone()]),
        (group_of(3, vec![]), vec![group.clone()]),
        (session_of(32_767, vec![]), vec![session.clone()]),
        (group_of(4, vec![]), vec![]),
        (group_of(65_536 + 3, vec![]), vec![]),
        (session_of(32_768, vec![]), vec![]),
    ] {
        assert_eq!(device.read(wanted), Ok(found));
    }
    device.write(Change::Modify, group_of(3, vec![])).unwrap();
    assert_eq!(device.read(group_of(0, vec![])), Ok(vec![group_of(3, vec![])]));
    device.write(Change::Delete, group_of(3, vec![])).unwrap();
    device.write(Change::Delete, session_of(32_767, vec![])).unwrap();
    assert_eq!(device.read(all()), Ok(vec![]));
}

#[test]
fn more_groups_than_one_part_of_a_read_are_all_read_once() {
    let mut random = Random::new(6);
    let mut device = Device::of(KINDS);
    let mut expected = Vec::new();
    for number in (1..3_000).chain([65_535]) {
        let count = random.below(3);
        let replicas = (0..count).map(|instance| replica(b"\x01", instance as u32)).collect();
        expected.push(group_of(number, replicas));
    }
    expected.extend((1..600).map(|number| session_of(number, vec![replica(b"\x02", number)])));
    for entity in &expected {
        device.insert(entity.clone()).unwrap();
    }
    assert_eq!(device.read(all()), Ok(expected));
}

#[test]
fn ports_are_read_in_the_field_that_they_were_written_in() {
    let mut device = Device::of(KINDS);
    let older = Replica { port_kind: Some(PortKind::EgressPort(2)), ..replica(b"", 0) };
    let both = group_of(1, vec![older, replica(b"\x03", 0)]);
    device.insert(both.clone()).unwrap();
    assert_eq!(device.read(group_of(1, vec![])), Ok(vec![both]));
}

/// Refuses replicas of groups and sessions, new and old, with an error that ends so.
fn check_refused(cases: Vec<(Vec<Replica>, Code, &str)>) {
    let mut device = Device::of(KINDS);
    let kept = vec![replica(b"\x01", 0)];
    let kept = vec![group_of(1, kept.clone()), session_of(1, kept)];
    kept.iter().for_each(|entity| device.insert(entity.clone()).unwrap());
    for (replicas, code, ending) in cases {
        for (change, number) in [(Change::Modify, 1), (Change::Insert, 2)] {
            let group = group_of(number, replicas.clone());
            let session = session_of(number, replicas.clone());
            for (entity, name) in [(group, "multicast group"), (session, "clone session")] {
                let error = device.write(change, entity).unwrap_err();
                assert_eq!(error.code, code, "{error:?}");
                assert!(error.message.ends_with(ending), "{error:?}");
                let names_owner = error.message.starts_with(&format!("{name} {number}: "));
                assert!(names_owner || error.message.starts_with("the replica"), "{error:?}");
                assert!(error.message.len() < 250, "{}", error.message.len());
            }
        }
    }
    assert_eq!(device.read(all()), Ok(kept));
}

#[test]
fn replicas_that_cannot_be_are_refused_in_a_short_line_that_names_their_group() {
    let invalid = Code::InvalidArgument;
    let none = Replica { port_kind: None, ..replica(b"", 0) };
    let older = Replica { port_kind: Some(PortKind::EgressPort(511)), ..replica(b"", 0) };
    let empty = ": replica 1 has an empty byte string as its port";
    let no_port = ": replica 1 has port 511; valid: 0 to 510";
    let twice = "the replica for port 1, instance 0 is given twice";
    check_refused(vec![
        (vec![replica(b"\x01\xff", 0)], invalid, no_port),
        (vec![older], invalid, no_port),
        (vec![replica(&[1; 2_000], 0)], invalid, "... (2000 bytes); valid: 0 to 510"),
        (vec![replica(b"", 0)], Code::OutOfRange, empty),
        (
            vec![replica(b"\x01", 0), none],
            invalid,
            ": replica 2 has no port; set port or egress_port (valid: 0 to 510)",
        ),
        (
            vec![replica(b"\x01", 1 << 16)],
            invalid,
            ": replica 1 has instance 65536; valid: 0 to 65535",
        ),
        (vec![replica(b"\x01", 0), replica(b"\x01", 0)], invalid, twice),
    ]);
}

#[test]
fn backups_that_cannot_be_are_refused_likewise() {
    let invalid = Code::InvalidArgument;
    let no_instance = ": a backup of replica 1 has instance 65536; valid: 0 to 65535";
    let empty = ": a backup of replica 1 has an empty byte string as its port";
    let own = "the replica for port 1 has a backup at the same port";
    check_refused(vec![
        (vec![backed(b"\x01", &[(b"\x02", 1 << 16)])], invalid, no_instance),
        (vec![backed(b"\x01", &[(&[9; 9], 1)])], invalid, "; valid: 0 to 510"),
        (vec![backed(b"\x01", &[(b"", 1)])], Code::OutOfRange, empty),
        (vec![backed(b"\x01", &[(b"\x01", 1)])], invalid, own),
    ]);
}

#[test]
fn numbers_that_cannot_be_are_refused() {
    let mut device = Device::of(KINDS);
    for (entity, message) in [
        (group_of(0, vec![]), "multicast group 0: 0 is no id; it stands for all in reads"),
        (session_of(0, vec![]), "clone session 0: 0 is no id; it stands for all in reads"),
        (group_of(65_536, vec![]), "multicast group 65536 is out of range; valid are 1 to 65535"),
        (session_of(32_768, vec![]), "clone session 32768 is out of range; valid are 1 to 32767"),
        (
            session_of(u32::MAX, vec![]),
            "clone session 4294967295 is out of range; valid are 1 to 32767",
        ),
    ] {
        for change in [Change::Insert, Change::Modify, Change::Delete] {
            let error = device.write(change, entity.clone()).unwrap_err();
            assert_eq!((error.code, error.message.as_str()), (Code::InvalidArgument, message));
        }
    }
    let session = |class_of_service, packet_length_bytes| {
        let replicas = Vec::new();
        let session =
            CloneSessionEntry { session_id: 1, replicas, class_of_service, packet_length_bytes };
        entity(Replication::Session(session))
    };
    for entity in [session(8, 0), session(256, 0), session(0, -1)] {
        assert_eq!(device.insert(entity).unwrap_err().code, Code::InvalidArgument);
    }
    let error = device.insert(all()).unwrap_err();
    assert!(error.message.starts_with("the packet replication engine entry is empty"));
    for (change, entity, code) in [
        (Change::Modify, group_of(2, vec![]), Code::NotFound),
        (Change::Delete, session_of(2, vec![]), Code::NotFound),
    ] {
        assert_eq!(device.write(change, entity).unwrap_err().code, code);
    }
}

#[test]
fn a_session_of_number_0_that_others_have_made_is_told_of_and_stays() {
    let mut device = Device::of(KINDS);
    let session =
        engine::CloneSession { replicas: vec![EngineReplica::new(1, 0)], ..Default::default() };
    device.replication().sessions.insert(0, session).unwrap();
    let found = device.read(all()).unwrap();
    assert_eq!(found, [session_of(0, vec![replica(b"\x01", 0)])]);
    for change in [Change::Insert, Change::Modify, Change::Delete] {
        assert!(device.write(change, found[0].clone()).is_err());
    }
    assert_eq!(device.read(all()), Ok(found));
}

#[test]
fn a_batch_that_fails_brings_back_groups_sessions_and_metadata() {
    for atomicity in [ROLLBACK_ON_ERROR, DATAPLANE_ATOMIC] {
        let mut device = Device::of(KINDS);
        let kept = [
            group_of(1, vec![replica(b"\x01", 0)]),
            group_of(2, vec![backed(b"\x01", &[(b"\x02", 3)])]),
            session_of(1, vec![replica(b"\x02", 0)]),
        ];
        kept.iter().for_each(|entity| device.insert(entity.clone()).unwrap());
        let before = device.state();
        let results = device.batch(
            vec![
                (Change::Delete, group_of(1, vec![])),
                (Change::Modify, group_of(2, vec![])),
                (Change::Modify, session_of(1, vec![])),
                (Change::Insert, group_of(3, vec![])),
                (Change::Insert, session_of(3, vec![])),
                (Change::Insert, group_of(4, vec![replica(&[1; 2_000], 0)])),
            ],
            atomicity,
        );
        assert_eq!(results.last().unwrap().as_ref().unwrap_err().code, Code::InvalidArgument);
        assert_eq!(device.state(), before);
    }
}
