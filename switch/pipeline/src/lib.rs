//! Executes v1model programs that p4c has compiled to BMv2's JSON format.
//!
//! [`Pipeline::load`] lowers the JSON once into linear code over fixed 64-bit slots and refuses,
//! by name, every construct that it does not support. The crate knows no clock, port or socket:
//! its caller passes frames and times in and carries out the verdicts.
#![forbid(unsafe_code)]

mod compile;
mod control;
mod error;
mod json;
mod machine;
mod meter;
mod numbers;
mod packet;
mod pipeline;
mod program;
mod state;
mod table;
mod trace;
mod types;

pub use control::Control;
pub use error::{ControlError, LoadError};
pub use num_bigint::BigUint;
pub use packet::{CloneRequest, Packet, Requests};
pub use pipeline::{EgressVerdict, Pipeline, QueueInfo, Verdict};
pub use program::Digest;
pub use state::LogSink;
pub use trace::{TraceEvent, TraceFields};
pub use types::{
    ActionCall, ActionInfo, CounterInfo, CounterValue, DefaultEntry, GroupMember, KeyInfo, Match,
    MatchKind, MeterConfig, MeterInfo, NewEntry, ParameterInfo, ProfileGroup, ProfileInfo,
    ProfileMember, RegisterInfo, TableAction, TableEntry, TableInfo, ValueSetInfo, WeightedAction,
};
