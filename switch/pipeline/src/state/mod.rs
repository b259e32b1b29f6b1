//! What a program remembers between packets: registers, counters and random numbers. Tables and
//! action profiles are in [`crate::table`].

use crate::meter::MeterArray;
use crate::numbers::random::Random;
use crate::table::{Profile, Table};
mod log;
mod register;
mod value_set;

pub(crate) use log::Log;
pub use log::LogSink;
pub(crate) use register::Register;
pub(crate) use value_set::{Condition, Member, ValueSet};

use crate::types::CounterValue;

/// The state of a program.
#[derive(Debug)]
pub(crate) struct State {
    /// The present, as the caller tells it.
    pub(crate) now_us: u64,
    pub(crate) tables: Vec<Table>,
    pub(crate) profiles: Vec<Profile>,
    pub(crate) registers: Vec<Register>,
    pub(crate) counters: Vec<Counter>,
    pub(crate) meters: Vec<MeterArray>,
    pub(crate) value_sets: Vec<ValueSet>,
    pub(crate) log: Log,
    pub(crate) random: Random,
    /// Where calculations put their input together.
    pub(crate) buffer: Vec<u8>,
}

/// A counter array.
#[derive(Debug)]
pub(crate) struct Counter {
    pub(crate) name: String,
    pub(crate) cells: Vec<CounterValue>,
}
