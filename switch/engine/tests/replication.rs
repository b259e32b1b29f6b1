//! Copies of packets and packets that start over, on their way through the switch.

use std::num::NonZeroU64;

use crate::support::*;
use engine::{
    CloneSession, ConfigError, MulticastGroup, PortConfig, Replica, ReplicationError, Switch,
    SwitchStatistics, Tally, Way,
};

const GROUP: u16 = 5;
const SESSION: u16 = 6;

fn replicas(pairs: &[(u16, u16)]) -> Vec<Replica> {
    pairs.iter().map(|&(port, instance)| Replica::new(port, instance)).collect()
}

fn add_group(switch: &mut Switch, pairs: &[(u16, u16)]) {
    switch.replication().groups.insert(GROUP, replicas(pairs).into()).unwrap();
}

fn add_session(switch: &mut Switch, pairs: &[(u16, u16)]) {
    let session = CloneSession { replicas: replicas(pairs), ..CloneSession::default() };
    switch.replication().sessions.insert(SESSION, session).unwrap();
}

/// Port, instance type and instance of what left.
fn ways(seen: &[Seen]) -> Vec<(u16, u8, u16)> {
    seen.iter().map(|seen| (seen.port, seen.instance_type, seen.egress_rid)).collect()
}

#[test]
fn every_replica_of_a_group_gets_a_copy_in_order() {
    let mut switch = plain_switch();
    add_group(&mut switch, &[(3, 30), (2, 20), (3, 31)]);
    let frame = Frame { ingress: I_MULTICAST, argument: GROUP, port: 4, ..Frame::default() };
    assert_eq!(ways(&send(&mut switch, frame)), [(3, 5, 30), (2, 5, 20), (3, 5, 31)]);
    assert_eq!(switch.statistics().copied.packets, 2);
}

#[test]
fn a_group_without_replicas_or_that_does_not_exist_drops() {
    let mut switch = plain_switch();
    let frame = Frame { ingress: I_MULTICAST, argument: GROUP, port: 4, ..Frame::default() };
    assert_eq!(send(&mut switch, frame), []);
    add_group(&mut switch, &[]);
    assert_eq!(send(&mut switch, frame), []);
    assert_eq!(switch.statistics().program_dropped, Tally { packets: 2, bytes: 36 });
}

#[test]
fn a_copy_goes_to_the_first_of_a_replica_and_its_backups_whose_port_is_up() {
    let ways = |pairs: &[(u16, u16)]| -> Vec<_> {
        pairs.iter().map(|&(port, instance)| Way { port, instance }).collect()
    };
    // Port 9 is none of the switch.
    let backed = Replica { backups: ways(&[(9, 90), (3, 30), (4, 40)]), ..Replica::new(2, 20) };
    let mut switch = plain_switch();
    switch
        .replication()
        .groups
        .insert(GROUP, vec![backed.clone(), Replica::new(1, 10)].into())
        .unwrap();
    let session = CloneSession { replicas: vec![backed], ..CloneSession::default() };
    switch.replication().sessions.insert(SESSION, session).unwrap();
    let multicast = Frame { ingress: I_MULTICAST, argument: GROUP, ..Frame::default() };
    let cloned = Frame { ingress: CLONE_AND_DROP, argument: SESSION, ..Frame::default() };
    for (port, up, (to, instance)) in [
        (1, true, (2, 20)),
        (2, false, (3, 30)),
        (3, false, (4, 40)),
        (4, false, (2, 20)), // where a live switch loses it
        (3, true, (3, 30)),
        (2, true, (2, 20)),
    ] {
        switch.set_port_up(port, up).unwrap();
        let copies = self::ways(&send(&mut switch, multicast));
        assert_eq!(copies, [(to, 5, instance), (1, 5, 10)], "port {port} {up}");
        assert_eq!(self::ways(&send(&mut switch, cloned)), [(to, 1, instance)], "port {port} {up}");
    }
}

#[test]
fn ports_that_are_down_stay_so_for_the_replicas_of_the_next_program() {
    let mut switch = plain_switch();
    switch.set_port_up(2, false).unwrap();
    switch.replace(program());
    let backed = Replica { backups: vec![Way { port: 3, instance: 30 }], ..Replica::new(2, 20) };
    switch.replication().groups.insert(GROUP, vec![backed].into()).unwrap();
    let frame = Frame { ingress: I_MULTICAST, argument: GROUP, ..Frame::default() };
    assert_eq!(ways(&send(&mut switch, frame)), [(3, 5, 30)]);
}

#[test]
fn ingress_clones_come_before_their_packet_and_without_its_changes() {
    let mut switch = plain_switch();
    add_session(&mut switch, &[(2, 20), (3, 30)]);
    let frame = Frame { ingress: CLONE, argument: SESSION, port: 4, ..Frame::default() };
    let seen = send(&mut switch, frame);
    assert_eq!(ways(&seen), [(2, 1, 20), (3, 1, 30), (4, 0, 0)]);
    assert_eq!(seen.iter().map(|seen| seen.changed_by_ingress).collect::<Vec<_>>(), [0, 0, 1]);
}

#[test]
fn a_dropped_packet_is_cloned_and_a_session_that_does_not_exist_clones_nothing() {
    for (ingress, egress) in [(CLONE_AND_DROP, 0), (0, CLONE_AND_DROP)] {
        let mut switch = plain_switch();
        let frame = Frame { ingress, egress, argument: SESSION, port: 4, ..Frame::default() };
        assert_eq!(send(&mut switch, frame), []);
        add_session(&mut switch, &[(2, 20)]);
        let seen = send(&mut switch, frame);
        assert_eq!(
            seen.iter().map(|seen| (seen.port, seen.egress_rid)).collect::<Vec<_>>(),
            [(2, 20)]
        );
    }
}

#[test]
fn a_session_limits_its_clones_length_and_sets_their_priority() {
    let slow = PortConfig { rate_bps: NonZeroU64::new(8_000_000), ..PortConfig::new(2) };
    let mut switch = switch(vec![PortConfig::new(1), slow]);
    let session = CloneSession {
        replicas: replicas(&[(2, 0)]),
        class_of_service: 7,
        packet_length_bytes: Some(20),
    };
    switch.replication().sessions.insert(SESSION, session).unwrap();
    let original = Frame { port: 2, priority: 3, payload_bytes: 100, ..Frame::default() };
    let cloned = Frame { ingress: CLONE, argument: SESSION, ..original };
    for frame in [original, original, cloned] {
        switch.inject(1, frame.bytes(), 0).unwrap();
    }
    let seen = run(&mut switch, S);
    let lengths: Vec<_> = seen.iter().map(|seen| (seen.instance_type, seen.length_bytes)).collect();
    // The clone overtakes the second frame, which waits.
    assert_eq!(lengths, [(0, 118), (1, 20), (0, 118), (0, 118)]);
}

#[test]
fn an_egress_clone_leaves_after_its_packet_with_its_headers() {
    let mut switch = plain_switch();
    add_session(&mut switch, &[(2, 20)]);
    let frame = Frame { egress: CLONE, argument: SESSION, port: 4, ..Frame::default() };
    let seen = send(&mut switch, frame);
    assert_eq!(ways(&seen), [(4, 0, 0), (2, 2, 20)]);
    assert_eq!(seen[1].changed_by_ingress, 1);
}

#[test]
fn a_packet_starts_over_once_and_its_clones_stay() {
    for (ingress, egress, expected, changes) in [
        (I_RESUBMIT_ONCE, 0, vec![(4, 0, 0)], vec![1]),
        (I_CLONE_AND_RESUBMIT_ONCE, 0, vec![(2, 1, 20), (4, 0, 0)], vec![0, 1]),
        (0, E_RECIRCULATE_ONCE, vec![(4, 0, 0)], vec![2]),
        (0, E_CLONE_AND_RECIRCULATE_ONCE, vec![(2, 2, 20), (4, 0, 0)], vec![1, 2]),
        (0, E_DROP, vec![], vec![]),
    ] {
        let mut switch = plain_switch();
        add_session(&mut switch, &[(2, 20)]);
        let frame = Frame { ingress, egress, argument: SESSION, port: 4, ..Frame::default() };
        let seen = send(&mut switch, frame);
        assert_eq!(ways(&seen), expected, "{ingress} {egress}");
        let changed: Vec<_> = seen.iter().map(|seen| seen.changed_by_ingress).collect();
        assert_eq!(changed, changes, "{ingress} {egress}");
    }
}

#[test]
fn a_packet_recirculates_through_a_port_that_does_not_exist() {
    let mut switch = plain_switch();
    let frame = Frame { egress: E_RECIRCULATE_ONCE, port: 99, ..Frame::default() };
    assert_eq!(send(&mut switch, frame), []);
    assert_eq!(switch.statistics().no_such_port, Tally { packets: 1, bytes: 18 });
}

#[test]
fn packets_that_start_over_for_ever_leave_the_switch_working() {
    for (ingress, egress) in
        [(I_RESUBMIT_ALWAYS, 0), (0, E_RECIRCULATE_ALWAYS), (0, E_CLONE_ALWAYS)]
    {
        let mut switch = plain_switch();
        // Every packet that clones itself becomes three: the number would grow without bound.
        add_session(&mut switch, &[(3, 1), (3, 2)]);
        let frame = Frame { ingress, egress, argument: SESSION, port: 4, ..Frame::default() };
        switch.inject(1, frame.bytes(), 0).unwrap();
        switch.run_until(S / 100).unwrap();
        let plain = Frame { port: 2, ..Frame::default() };
        switch.inject(1, plain.bytes(), S / 100).unwrap();
        let seen = run(&mut switch, S / 100);
        assert!(seen.iter().any(|seen| seen.port == 2), "{ingress} {egress}");
        let statistics = switch.statistics();
        assert!((1..=1024).contains(&statistics.returning.packets), "{ingress} {egress}");
        assert_eq!(statistics.loopback_dropped.packets > 0, egress == E_CLONE_ALWAYS);
    }
}

#[test]
fn the_highest_priority_goes_first_and_a_priority_without_queue_is_lost() {
    let slow = PortConfig { rate_bps: NonZeroU64::new(8_000_000), queues: 4, ..PortConfig::new(2) };
    let mut switch = switch(vec![PortConfig::new(1), slow]);
    for (position, priority) in [0, 1, 3, 0, 3, 2, 4, 7].into_iter().enumerate() {
        let frame = Frame { port: 2, priority, payload_bytes: position, ..Frame::default() };
        switch.inject(1, frame.bytes(), 0).unwrap();
    }
    let order: Vec<_> =
        run(&mut switch, S).iter().map(|seen| seen.length_bytes - HEADER_BYTES).collect();
    assert_eq!(order, [0, 2, 4, 5, 1, 3]);
    assert_eq!(switch.statistics().no_such_queue, Tally { packets: 2, bytes: 18 + 6 + 18 + 7 });
}

#[test]
fn all_queues_of_a_port_share_its_memory() {
    let slow = PortConfig {
        rate_bps: NonZeroU64::new(8_000_000),
        memory_bytes: Some(40),
        ..PortConfig::new(2)
    };
    let mut switch = switch(vec![PortConfig::new(1), slow]);
    for priority in [0, 1, 7, 6] {
        let frame = Frame { port: 2, priority, ..Frame::default() };
        switch.inject(1, frame.bytes(), 0).unwrap();
    }
    assert_eq!(run(&mut switch, S).len(), 3);
    assert_eq!(switch.port_statistics(2).unwrap().memory_dropped.packets, 1);
}

#[test]
fn a_port_has_one_to_eight_queues() {
    for (queues, is_valid) in [(0, false), (1, true), (8, true), (9, false)] {
        let made = Switch::new(vec![PortConfig { queues, ..PortConfig::new(1) }], None);
        let refusal = ConfigError::QueuesOutOfRange { port: 1, queues };
        assert_eq!(made.err(), (!is_valid).then_some(refusal));
    }
}

#[test]
fn a_load_starts_without_groups_and_sessions() {
    let mut switch = plain_switch();
    add_group(&mut switch, &[(2, 0)]);
    add_session(&mut switch, &[(2, 0)]);
    switch.replace(program());
    assert_eq!(
        switch.replication().groups.from(0).count() + switch.replication().sessions.from(0).count(),
        0
    );
}

#[test]
fn a_load_discards_what_is_on_its_way_back() {
    let mut switch = plain_switch();
    let frame = Frame { ingress: I_RESUBMIT_ALWAYS, port: 2, ..Frame::default() };
    switch.inject(1, frame.bytes(), 0).unwrap();
    switch.run_until(0).unwrap();
    assert_eq!(switch.statistics().returning, Tally { packets: 1, bytes: 18 });
    switch.replace(program());
    let flushed = Tally { packets: 1, bytes: 18 };
    assert_eq!(switch.statistics(), SwitchStatistics { flushed, ..SwitchStatistics::default() });
    assert_eq!(run(&mut switch, S), []);
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let mut switch = plain_switch();
    let engine = switch.replication();
    let mut insert = |number, replicas: Vec<Replica>| engine.groups.insert(number, replicas.into());
    let session = |pairs, class_of_service| CloneSession {
        replicas: replicas(pairs),
        class_of_service,
        packet_length_bytes: None,
    };
    let invalid = |message: &str| Err(ReplicationError::Invalid(message.to_string()));
    let out_of_range = "multicast group 0 is out of range; valid are 1 to 65535";
    assert_eq!(insert(0, vec![]), invalid(out_of_range));
    let twice = "the replica for port 1, instance 2 is given twice";
    assert_eq!(insert(1, replicas(&[(1, 2), (1, 2)])), invalid(twice));
    let backed =
        |port, instance| Replica { backups: vec![Way { port, instance }], ..Replica::new(1, 2) };
    let own_port = "the replica for port 1 has a backup at the same port";
    assert_eq!(insert(1, vec![backed(1, 3)]), invalid(own_port));
    for replicas in [vec![backed(1, 2)], vec![backed(3, 4), Replica::new(3, 4)]] {
        let Err(ReplicationError::Invalid(message)) = insert(1, replicas) else {
            panic!("the group was accepted");
        };
        assert!(message.ends_with("is given twice"), "{message}");
    }
    let drop_port = "the replica's port 511 is out of range; valid are 0 to 510";
    assert_eq!(insert(1, replicas(&[(511, 0)])), invalid(drop_port));
    assert_eq!(insert(1, vec![]), Ok(()));
    let exists = ReplicationError::AlreadyExists("multicast group 1".to_string());
    assert_eq!(insert(1, replicas(&[(1, 1)])), Err(exists));
    assert_eq!(engine.groups.from(0).collect::<Vec<_>>(), [(1, &MulticastGroup::default())]);
    let beyond = "clone session 32768 is out of range; valid are 0 to 32767";
    assert_eq!(engine.sessions.insert(0x8000, session(&[], 0)), invalid(beyond));
    let class = "class of service 8 is out of range; valid are 0 to 7";
    assert_eq!(engine.sessions.insert(1, session(&[], 8)), invalid(class));
    let missing = Err(ReplicationError::NotFound("clone session 1".to_string()));
    assert_eq!(engine.sessions.modify(1, session(&[], 0)), missing);
    assert_eq!(engine.sessions.delete(1), missing);
    assert_eq!(engine.sessions.from(0).count(), 0);
}
