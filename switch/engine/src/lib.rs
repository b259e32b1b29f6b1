//! A software switch around a P4 pipeline.
//!
//! It is a house of floors; each uses only what stands below it:
//!
//! | floor | what it is |
//! |---|---|
//! | [`LiveSwitch`] | the packet thread: moves frames between Linux interfaces in real time; the link watch: follows these |
//! | [`SharedSwitch`] | a lock around the switch: one thread moves packets, others control it |
//! | [`Switch`] | ports, queues and a program, pure and in virtual time |
//! | `processing` | the program at work: ingress, egress, copies, the account of packets |
//! | `queue` | the traffic manager: queues (with depths and rates in frames), links (a port's rate) and wires, the way back into the switch |
//! | `observe`, `io` | traces and captures; packet sockets and rings |
//! | the ground | configuration, replication, statistics, queues to the control plane, time, privileges |
//!
//! A frame's way through [`Switch`]: ingress, at the instant of its arrival; the queue of its
//! priority at its egress port; egress, when the port's link takes it; the link, for as long as its
//! bits take; the wire, for the port's delay. Then it is a [`Departure`].
//!
//! The same [`Switch`] runs in a test or simulation, where time is what the caller says, and live.
#![deny(unsafe_code)]

mod config;
mod control_queue;
mod io;
mod live;
mod observe;
mod panics;
mod privileges;
mod processing;
mod queue;
mod replication;
mod shared;
mod statistics;
mod switch;
mod time;
mod warn;

pub use config::{
    ConfigError, PortConfig, QueueLimit, Queues, MAX_QUEUES, MAX_QUEUE_RATE_PPS, MAX_RATE_BPS,
    MAX_RING_BYTES, MAX_WEIGHT, MIN_RING_BYTES, PORT_LIMIT,
};
pub use control_queue::{ControlQueue, ControlQueues};
pub use io::{
    FrameSender, Interface, InterfaceError, Offload, Sent, Unrepairable, OFFLOAD_HEADER_BYTES,
    SEND_BATCH,
};
pub use live::{Ending, IfAbsent, LiveSwitch, PortError};
pub use observe::{Captured, Observation, Observer, TraceFilter, TraceFormat, TraceOptions, Watch};
pub use panics::panic_message;
pub use privileges::{give_up_file_rights, give_up_privileges, PrivilegesKept};
pub use processing::Departure;
pub use replication::{
    CloneSession, MulticastGroup, Numbered, Replica, Replicated, ReplicationEngine,
    ReplicationError, Way, MAX_CLONE_SESSION,
};
pub use shared::SharedSwitch;
pub use statistics::{PortStatistics, SwitchStatistics, Tally};
pub use switch::{ControlPlane, PortState, Switch, SwitchError};
pub use time::unix_time_ns;
pub use warn::Warn;
