//! A software switch around a P4 pipeline.
//!
//! [`Switch`] is pure and runs in virtual time; [`SharedSwitch`] lets a control plane use it from
//! several threads; [`LiveSwitch`] moves its packets between Linux interfaces in real time.
#![deny(unsafe_code)]

mod config;
mod control_queue;
mod copies;
mod egress_port;
mod io;
mod link;
mod live;
mod loopback;
mod observer;
mod panics;
mod pcap;
mod pool;
mod processor;
mod replication;
mod shared;
mod spool;
mod statistics;
mod switch;
mod trace;
mod traffic_manager;
mod warn;

pub use config::{ConfigError, PortConfig, MAX_QUEUES, PORT_LIMIT};
pub use control_queue::{ControlQueue, DigestQueue, LogQueue, PacketInQueue};
pub use egress_port::Tally;
pub use io::{FrameSender, Interface, InterfaceError, Sent, SEND_BATCH};
pub use link::MAX_RATE_BPS;
pub use live::{Ending, LiveSwitch};
pub use observer::{Observation, Observer};
pub use processor::Departure;
pub use replication::{
    CloneSession, Replica, ReplicationEngine, ReplicationError, MAX_CLONE_SESSION,
};
pub use shared::SharedSwitch;
pub use statistics::SwitchStatistics;
pub use switch::{PortStatistics, Switch, SwitchError};
pub use trace::{TraceFormat, TraceOptions};
pub use warn::Warn;
