//! Ports that are added to a switch and removed from it, in virtual time.

use std::num::NonZeroU64;

use crate::support::*;
use engine::{
    ConfigError, PortConfig, QueueLimit, Queues, Replica, Switch, SwitchError, Tally, Way,
};

fn to(port: u8) -> Frame {
    Frame { port, ..Frame::default() }
}

fn at(port: u16, interface: &str) -> PortConfig {
    PortConfig { interface: Some(interface.to_owned()), ..PortConfig::new(port) }
}

/// 1 ms for each frame of the header alone, and 5 ms on the wire.
fn slow(port: u16) -> PortConfig {
    let rate_bps = NonZeroU64::new(8_000 * HEADER_BYTES as u64);
    PortConfig { rate_bps, delay_ns: 5_000_000, ..PortConfig::new(port) }
}

fn ports(seen: &[Seen]) -> Vec<u16> {
    seen.iter().map(|seen| seen.port).collect()
}

#[test]
fn an_added_port_takes_and_gives_frames_at_once() {
    let mut switch = plain_switch();
    assert_eq!(ports(&send(&mut switch, to(7))), [0; 0]);
    switch.add_port(PortConfig::new(7)).unwrap();
    assert_eq!(ports(&send(&mut switch, to(7))), [7]);
    switch.inject(7, to(2).bytes(), switch.now_ns()).unwrap();
    assert_eq!(ports(&run(&mut switch, 10 * S)), [2]);
    let statistics = switch.port_statistics(7).unwrap();
    assert_eq!((statistics.received.packets, statistics.sent.packets), (1, 1));
    assert_eq!(switch.statistics().no_such_port.packets, 1, "what came before it");
}

#[test]
fn a_removed_port_loses_what_waits_and_what_is_on_its_wire_leaves() {
    let mut switch = switch(vec![PortConfig::new(1), slow(2)]);
    for _ in 0..5 {
        switch.inject(1, to(2).bytes(), 0).unwrap();
    }
    switch.inject(2, to(1).bytes(), 9_000_000).unwrap();
    assert_eq!(run(&mut switch, 2_500_000), []);
    switch.remove_port(2).unwrap();
    let left = run(&mut switch, S);
    assert_eq!(ports(&left), [2, 2, 2], "those that the link had taken, one of them half");
    assert!(left.iter().all(|seen| seen.at_ns == 2_500_000));
    let flushed = Tally { packets: 2, bytes: 2 * HEADER_BYTES as u64 };
    assert_eq!(switch.statistics().flushed, flushed);
    assert_eq!(ports(&send(&mut switch, to(2))), [0; 0]);
    let valid = vec![1];
    let unknown = SwitchError::UnknownPort { port: 2, valid };
    assert_eq!(switch.inject(2, vec![], S * 5), Err(unknown.clone()));
    assert_eq!(switch.remove_port(2), Err(unknown));
}

#[test]
fn a_switch_without_ports_says_so() {
    let unknown = Switch::new(vec![], Some(510)).unwrap().remove_port(2).unwrap_err();
    assert_eq!(unknown.to_string(), "no port 2; valid: none, the switch has no ports");
}

#[test]
fn a_port_that_comes_again_begins_with_empty_queues_and_accounts() {
    let mut switch = switch(vec![PortConfig::new(1), slow(2), slow(3)]);
    for port in [2, 2, 3, 3] {
        switch.inject(1, to(port).bytes(), 0).unwrap();
    }
    run(&mut switch, 0);
    switch.remove_port(2).unwrap();
    switch.add_port(PortConfig::new(4)).unwrap();
    switch.add_port(slow(2)).unwrap();
    assert_eq!(switch.port_statistics(2).unwrap(), engine::PortStatistics::default());
    switch.inject(1, to(2).bytes(), 0).unwrap();
    let left: Vec<_> = run(&mut switch, S).iter().map(|seen| (seen.port, seen.at_ns)).collect();
    assert_eq!(left, [(2, 0), (3, 6_000_000), (2, 6_000_000), (3, 7_000_000)]);
}

#[test]
fn what_no_port_can_be_is_refused_and_changes_nothing() {
    let ports = vec![at(1, "eth1"), at(2, "eth2")];
    let mut switch = Switch::new(ports.clone(), Some(510)).unwrap();
    let in_use = SwitchError::InterfaceInUse { interface: "eth2".to_owned(), port: 2 };
    let no_name = ConfigError::NoInterfaceName { port: 3, interface: "a/b".to_owned() };
    for (config, refused) in [
        (at(1, "eth3"), SwitchError::PortInUse { port: 1 }),
        (at(3, "eth2"), in_use),
        (at(3, "a/b"), SwitchError::Config(no_name)),
        (at(510, "eth3"), SwitchError::Config(ConfigError::PortIsCpuPort(510))),
        (at(511, "eth3"), SwitchError::Config(ConfigError::PortOutOfRange(511))),
    ] {
        assert_eq!(switch.add_port(config), Err(refused));
    }
    let valid = vec![1, 2];
    assert_eq!(switch.remove_port(510), Err(SwitchError::UnknownPort { port: 510, valid }));
    assert_eq!(switch.ports(), ports);
    switch.remove_port(2).unwrap();
    switch.add_port(at(3, "eth2")).unwrap();
}

#[test]
fn the_queues_of_a_port_that_comes_later_are_limited_as_those_of_all_ports() {
    let mut switch = plain_switch();
    let rate = |rate| QueueLimit::Rate { packets_per_second: NonZeroU64::new(rate) };
    switch.limit_queues(Queues::All, rate(1_000)).unwrap();
    switch.limit_queues(Queues::All, QueueLimit::Depth { packets: 2 }).unwrap();
    switch.limit_queues(Queues::All, rate(100)).unwrap();
    switch.limit_queues(Queues::OfPort(1), rate(0)).unwrap();
    switch.add_port(PortConfig::new(7)).unwrap();
    for _ in 0..3 {
        switch.inject(1, to(7).bytes(), 0).unwrap();
    }
    let left: Vec<_> = run(&mut switch, S).iter().map(|seen| seen.at_ns).collect();
    assert_eq!(left, [10_000_000, 20_000_000]);
}

#[test]
fn replicas_turn_to_their_backups_while_a_port_is_not_there() {
    let mut switch = plain_switch();
    let backups = vec![Way { port: 3, instance: 30 }];
    let replica = Replica { backups, ..Replica::new(2, 20) };
    switch.replication().groups.insert(5, vec![replica].into()).unwrap();
    let frame = Frame { ingress: I_MULTICAST, argument: 5, ..Frame::default() };
    assert_eq!(ports(&send(&mut switch, frame)), [2]);
    switch.remove_port(2).unwrap();
    assert_eq!(ports(&send(&mut switch, frame)), [3]);
    switch.add_port(PortConfig::new(2)).unwrap();
    assert_eq!(ports(&send(&mut switch, frame)), [2]);
}
