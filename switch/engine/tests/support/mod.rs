//! The switch around `replication.p4` of the pipeline's tests: frames say what becomes of them.
#![allow(dead_code, unreachable_pub)] // no test uses all of it

pub mod bottleneck;

use std::path::Path;

use engine::{Departure, PortConfig, Switch};
use pipeline::Pipeline;

pub const S: u64 = 1_000_000_000;

/// What a frame can ask ingress for (`I_`), egress (`E_`) or both; see the program.
pub const CLONE: u8 = 1;
pub const I_RESUBMIT_ONCE: u8 = 2;
pub const I_RESUBMIT_ALWAYS: u8 = 3;
pub const I_MULTICAST: u8 = 4;
pub const CLONE_AND_DROP: u8 = 7;
pub const TRUNCATE: u8 = 9;
pub const E_RECIRCULATE_ONCE: u8 = 10;
pub const I_CLONE_AND_RESUBMIT_ONCE: u8 = 11;
pub const E_DROP: u8 = 12;
pub const E_RECIRCULATE_ALWAYS: u8 = 13;
pub const E_CLONE_ALWAYS: u8 = 14;
pub const E_CLONE_AND_RECIRCULATE_ONCE: u8 = 15;

/// A frame for the program.
#[derive(Debug, Clone, Copy, Default)]
pub struct Frame {
    pub ingress: u8,
    pub egress: u8,
    /// Session, group or length.
    pub argument: u16,
    pub port: u8,
    pub priority: u8,
    pub payload_bytes: usize,
}

impl Frame {
    pub fn bytes(self) -> Vec<u8> {
        let Frame { ingress, egress, argument, port, priority, payload_bytes } = self;
        let [high, low] = argument.to_be_bytes();
        let mut bytes = vec![ingress, egress, high, low, port, priority];
        bytes.resize(HEADER_BYTES + payload_bytes, 0);
        bytes
    }
}

/// What the program parses.
pub const HEADER_BYTES: usize = 18;

/// What egress wrote into a frame, and where and when it left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    pub at_ns: u64,
    pub port: u16,
    pub length_bytes: usize,
    pub changed_by_ingress: u8,
    pub instance_type: u8,
    pub egress_port: u8,
    pub egress_rid: u16,
}

impl Seen {
    fn new(departure: &Departure) -> Seen {
        let mut frame = departure.frame().to_vec();
        let length_bytes = frame.len();
        // A truncated frame lacks what egress wrote.
        frame.resize(length_bytes.max(HEADER_BYTES), 0);
        Seen {
            at_ns: departure.at_ns,
            port: departure.port,
            length_bytes,
            changed_by_ingress: frame[6],
            instance_type: frame[9],
            egress_port: frame[11],
            egress_rid: u16::from_be_bytes([frame[12], frame[13]]),
        }
    }
}

pub fn program() -> Pipeline {
    let path = "../pipeline/tests/programs/replication.json";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    Pipeline::load(&std::fs::read(path).expect("compiled products are checked in")).unwrap()
}

pub fn switch(ports: Vec<PortConfig>) -> Switch {
    let mut switch = Switch::new(ports, None).unwrap();
    switch.replace(program());
    switch
}

/// Ports 1 to 4 without rate, delay and bound.
pub fn plain_switch() -> Switch {
    switch((1..=4).map(PortConfig::new).collect())
}

/// Runs until `until_ns`; what left.
pub fn run(switch: &mut Switch, until_ns: u64) -> Vec<Seen> {
    let mut departures = Vec::new();
    switch.run_until(until_ns).unwrap();
    switch.take_departures(&mut departures);
    let seen = departures.iter().map(Seen::new).collect();
    switch.recycle(&mut departures);
    seen
}

/// Injects a frame at port 1 at time 0 and runs for a second.
pub fn send(switch: &mut Switch, frame: Frame) -> Vec<Seen> {
    switch.inject(1, frame.bytes(), switch.now_ns()).unwrap();
    let until_ns = switch.now_ns() + S;
    run(switch, until_ns)
}
