//! The ABS program on a switch in virtual time: port 2 is the bottleneck of most tests.
#![allow(dead_code, unreachable_pub)] // no test uses all of it

use std::num::NonZeroU64;
use std::path::Path;

use engine::{Departure, PortConfig, Switch};
use pipeline::{Match, Pipeline};

pub const CPU_PORT: u16 = 510;
pub const RATE_BPS: u64 = 8_000_000; // one byte per microsecond
pub const FRAME_BYTES: usize = 1_000;
pub const SERIALIZATION_NS: u64 = 1_000_000; // of one frame
pub const MS: u64 = 1_000_000;
pub const S: u64 = 1_000_000_000;

pub fn program(name: &str) -> Vec<u8> {
    let builds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4src/build");
    std::fs::read(builds.join(name)).expect("compiled products are checked in")
}

pub fn station(port: u16) -> [u8; 6] {
    [2, 0, 0, 0, 0, port as u8]
}

/// A frame for the station behind `port`, of a protocol that the program does not parse.
pub fn frame(port: u16, length_bytes: usize) -> Vec<u8> {
    let mut frame = [&station(port)[..], &[2, 0, 0, 0, 0, 9, 0x88, 0xb5]].concat();
    frame.resize(length_bytes, 0);
    frame
}

pub fn bottleneck(memory_bytes: Option<u64>) -> PortConfig {
    PortConfig { rate_bps: NonZeroU64::new(RATE_BPS), memory_bytes, ..PortConfig::new(2) }
}

/// A switch with the program loaded and a station behind ports 1 and 2.
pub fn switch(bottleneck: PortConfig) -> Switch {
    switch_with("queue.json", bottleneck)
}

pub fn switch_with(name: &str, bottleneck: PortConfig) -> Switch {
    let mut switch = Switch::new(vec![PortConfig::new(1), bottleneck], Some(CPU_PORT)).unwrap();
    switch.replace(Pipeline::load(&program(name)).unwrap());
    add_stations(&mut switch);
    switch
}

pub fn add_stations(switch: &mut Switch) {
    for port in [1, 2] {
        let key = [Match::Exact(station(port).to_vec())];
        let argument = [port.to_be_bytes().to_vec()];
        let (table, action) =
            ("AbsIngress.forwarding.ethernet_forward", "AbsIngress.forwarding.forward");
        switch.control().unwrap().table_insert(table, &key, action, &argument, 0).unwrap();
    }
}

pub fn register(switch: &mut Switch, name: &str) -> u128 {
    switch.control().unwrap().register_read(name, 2).unwrap().try_into().unwrap()
}

pub fn set_limit(switch: &mut Switch, limit_bytes: u128) {
    let mut control = switch.control().unwrap();
    control.register_write("queue_limit_bytes", 2, limit_bytes).unwrap();
}

pub fn inject(switch: &mut Switch, frames: usize, length_bytes: usize, at_ns: u64) {
    for _ in 0..frames {
        switch.inject(1, frame(2, length_bytes), at_ns).unwrap();
    }
}

/// Runs until `until_ns`; returns when frames left.
pub fn run(switch: &mut Switch, until_ns: u64) -> Vec<u64> {
    let mut departures = Vec::new();
    switch.run_until(until_ns).unwrap();
    switch.take_departures(&mut departures);
    let instants = departures.iter().map(|departure: &Departure| departure.at_ns).collect();
    switch.recycle(&mut departures);
    instants
}

pub const ETHER_TYPE_MAILBOX: u64 = 0x88b6;
pub const PACKET_IN_MAILBOX: u64 = 1;
pub const MAILBOX_WRITE_QUEUE_LIMIT: u8 = 1;
pub const MAILBOX_START_BACKLOG_WINDOW: u8 = 4;
pub const MAILBOX_SERVED: u8 = 0x80;

/// A mailbox reply of one record (p4src/adaptive/mailbox_packet.p4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reply {
    pub sequence: u32,
    pub timestamp_us: u64,
    pub operation: u8,
    pub port: u32,
    pub queue_limit_bytes: u64,
    pub drain_rate: u64,
    pub ecn_marking: u8,
    pub admitted_bytes: u64,
    pub dropped_bytes: u64,
    pub departed_bytes: u64,
    pub unsaturated_us: u64,
    pub unsaturated_bytes: u64,
    pub backlog_window: u32,
    pub least_backlog_bytes: u64,
    pub greatest_backlog_bytes: u64,
    pub marked_bytes: u64,
    pub active_flow_us: u64,
    pub long_flow_us: u64,
    pub untracked_bytes: u64,
    pub timed_bytes: u64,
    pub timed_byte_us: u64,
}

impl Reply {
    fn parse(mut bytes: &[u8]) -> Reply {
        let mut next = |count: usize| {
            let (field, rest) = bytes.split_at(count);
            bytes = rest;
            field.iter().fold(0, |value: u64, &byte| value << 8 | u64::from(byte))
        };
        assert_eq!(
            next(3),
            u64::from(CPU_PORT) << 15 | u64::from(CPU_PORT) << 6 | PACKET_IN_MAILBOX
        );
        next(12);
        assert_eq!(next(2), ETHER_TYPE_MAILBOX);
        let sequence = next(4) as u32;
        assert_eq!(next(1), 1);
        Reply {
            sequence,
            timestamp_us: next(8),
            operation: next(1) as u8,
            port: next(4) as u32,
            queue_limit_bytes: next(8),
            drain_rate: next(8),
            ecn_marking: next(1) as u8,
            admitted_bytes: next(8),
            dropped_bytes: next(8),
            departed_bytes: next(8),
            unsaturated_us: next(8),
            unsaturated_bytes: next(8),
            backlog_window: next(4) as u32,
            least_backlog_bytes: next(8),
            greatest_backlog_bytes: next(8),
            marked_bytes: next(8),
            active_flow_us: next(8),
            long_flow_us: next(8),
            untracked_bytes: next(8),
            timed_bytes: next(8),
            timed_byte_us: next(8),
        }
    }
}

/// One request for port 2 and its reply.
pub fn mailbox(switch: &mut Switch, operation: u8, sequence: u32, limit_bytes: u64) -> Reply {
    let packet_out = (CPU_PORT << 7).to_be_bytes();
    let ether_type = (ETHER_TYPE_MAILBOX as u16).to_be_bytes();
    let head = [&packet_out[..], &[0; 12], &ether_type, &sequence.to_be_bytes(), &[1], &[0; 8]];
    let record = [&[operation, 0, 0, 0, 2][..], &limit_bytes.to_be_bytes(), &[0; 117]];
    let request = [head.concat(), record.concat()].concat();
    switch.packet_out(&request).unwrap();
    let answers = switch.queues().packet_ins.take();
    assert_eq!(answers.len(), 1);
    Reply::parse(&answers[0])
}

/// A request that only reads.
pub fn snapshot(switch: &mut Switch) -> Reply {
    mailbox(switch, 0, 0, 0)
}
