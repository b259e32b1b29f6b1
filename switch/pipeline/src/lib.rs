//! Executes v1model programs that p4c has compiled to BMv2's JSON format.
//!
//! [`Pipeline::load`] lowers the JSON once into linear code over fixed 64-bit slots and refuses,
//! by name, every construct that it does not support. The crate knows no clock, port or socket:
//! its caller passes frames and times in and carries out the verdicts.
//!
//! # Floors
//!
//! From the ground up; each uses only what stands below it.
//!
//! | floor | what it is |
//! |---|---|
//! | `error`, `types`, `numbers` | what can be wrong; the values that the control plane exchanges; limbs, hashes, random numbers |
//! | `json`, `program` | the format as p4c writes it; the instructions and plans that it is lowered to |
//! | `packet`, `meter` | a [`Packet`]: frame, slots and [`Requests`]; token buckets |
//! | `native` | machine code for the instructions between tables |
//! | `table` | match-action tables: keys, an index for each kind of match, action profiles |
//! | `state` | what a program remembers: tables, registers, counters, meters, value sets, its log |
//! | `machine` | runs instructions on a packet and the state |
//! | `trace` | the same run, watched: [`TraceEvent`] in the program's own names |
//! | `control` | the control plane's view of the state: [`Control`] |
//! | `compile` | from `json` to `program` and `state`: first what is declared, then the code |
//! | `pipeline` | [`Pipeline`]: a loaded program with its state, and copies of packets |
//!
//! # A packet's way
//!
//! The caller fills a [`Packet`] with a frame. [`Pipeline::ingress`] zeroes the program's variables,
//! which are slots of the packet, and runs parser, checksum verification and ingress in one go:
//! the parser's instructions copy fields from the frame to slots, tables find an entry by slots and
//! jump to its action's code. The [`Verdict`] is read from `standard_metadata` and the packet's
//! requests. While the packet waits in the caller's queues it keeps its slots.
//! [`Pipeline::egress`] runs egress, updates checksums and writes the valid headers in front of the
//! payload, or what has changed of them where they came, and [`Packet::frame`] is the frame that
//! leaves.
//!
//! ```
//! use pipeline::{EgressVerdict, Pipeline, QueueInfo, Verdict};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut pipeline = Pipeline::load(&std::fs::read("tests/programs/state.json")?)?;
//! let mut packet = pipeline.new_packet();
//!
//! // To this program, a frame is a choice, an index and a value; choice 1 adds the value to a
//! // register.
//! let frame = [&[1][..], &2u32.to_be_bytes(), &7u128.to_be_bytes()].concat();
//! packet.set_frame(&frame);
//! let (ingress_port, now_us) = (3, 1000);
//! let Verdict::Forward(egress_port) = pipeline.ingress(&mut packet, ingress_port, now_us) else {
//!     return Err("the program forwards every packet".into());
//! };
//! let queue = QueueInfo { enqueued_at_us: now_us, ..QueueInfo::default() };
//! let verdict = pipeline.egress(&mut packet, egress_port, now_us + 50, queue);
//!
//! assert_eq!((egress_port, verdict), (1, EgressVerdict::Emit));
//! assert_eq!(packet.frame().len(), frame.len());
//! assert_eq!(pipeline.control().register_read("TestIngress.word", 2)?, 7u32.into());
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod compile;
mod control;
mod error;
mod json;
mod machine;
mod meter;
mod native;
mod numbers;
mod packet;
mod pipeline;
mod program;
mod state;
mod table;
mod trace;
mod types;

pub use codegen::Unavailable as MachineCodeUnavailable;
pub use control::Control;
pub use error::{ControlError, LoadError};
pub use json::current_form;
pub use num_bigint::BigUint;
pub use numbers::crc::CrcParameters;
pub use packet::{CloneRequest, Packet, Requests};
pub use pipeline::{EgressVerdict, Pipeline, QueueInfo, Verdict};
pub use program::Digest;
pub use state::{LogSink, Notices};
pub use trace::{TraceEvent, TraceFields};
pub use types::{
    ActionCall, ActionInfo, ArrayInfo, ColorCounts, CounterValue, DefaultEntry, DigestInfo,
    GroupMember, HeaderTypeInfo, KeyInfo, Match, MatchKind, MeterConfig, NewEntry, ParameterInfo,
    ProfileGroup, ProfileInfo, ProfileMember, RegisterInfo, TableAction, TableEntry, TableInfo,
    ValueSetInfo, WeightedAction,
};
