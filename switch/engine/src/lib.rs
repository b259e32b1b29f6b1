//! A software switch around a P4 pipeline.
//!
//! [`Switch`] is pure and runs in virtual time; [`SharedSwitch`] lets a control plane use it from
//! several threads; [`LiveSwitch`] moves its packets between Linux interfaces in real time.
#![deny(unsafe_code)]

mod config;
mod control_queue;
mod egress_port;
mod io;
mod link;
mod live;
mod observer;
mod pcap;
mod processor;
mod shared;
mod spool;
mod switch;
mod trace;
mod traffic_manager;

pub use config::{ConfigError, PortConfig, PORT_LIMIT};
pub use control_queue::{ControlQueue, DigestQueue, PacketInQueue};
pub use egress_port::Tally;
pub use io::{InterfaceError, PacketSocket, SEND_BATCH};
pub use link::MAX_RATE_BPS;
pub use live::LiveSwitch;
pub use observer::{Observation, Observer};
pub use processor::{Departure, SwitchStatistics};
pub use shared::{SharedSwitch, Warn};
pub use switch::{PortStatistics, Switch, SwitchError};
pub use trace::{TraceFormat, TraceOptions};
