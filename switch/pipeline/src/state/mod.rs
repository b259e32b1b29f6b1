//! What a program remembers between packets: tables, action profiles, registers, counters, meters,
//! value sets and random numbers.

mod log;
mod notices;
mod register;
mod value_set;

pub(crate) use log::Log;
pub use log::LogSink;
pub use notices::Notices;
pub(crate) use register::{Register, Registers};
pub(crate) use value_set::{Condition, Member, ValueSet};

use crate::meter::MeterArray;
use crate::numbers::random::Random;
use crate::program::{Address, Calculation};
use crate::table::{Call, Key, Profile, Selection, Table};
use crate::types::CounterValue;

/// The state of a program.
#[derive(Debug)]
pub(crate) struct State {
    /// The present, as the caller tells it.
    pub(crate) now_us: u64,
    pub(crate) tables: Vec<Table>,
    pub(crate) profiles: Vec<Profile>,
    pub(crate) registers: Registers,
    pub(crate) counters: Vec<Counter>,
    pub(crate) meters: Vec<MeterArray>,
    pub(crate) value_sets: Vec<ValueSet>,
    pub(crate) log: Log,
    pub(crate) notices: Notices,
    pub(crate) random: Random,
    /// Where calculations put their input together.
    pub(crate) buffer: Vec<u8>,
}

impl State {
    /// Looks the packet up in a table, loads the arguments of the action and returns where its
    /// code is.
    #[inline]
    pub(crate) fn apply_table(
        &mut self,
        table: u16,
        slots: &mut [u64],
        packet_bytes: usize,
        calculations: &[Calculation],
    ) -> Address {
        let table = &mut self.tables[usize::from(table)];
        table.apply(slots, packet_bytes, self.now_us, || Selection {
            profiles: &self.profiles,
            calculations,
            buffer: &mut self.buffer,
        })
    }

    /// What [`State::apply_table`] would find: the entry's key, and the action that it runs.
    pub(crate) fn explain_table(
        &mut self,
        table: u16,
        slots: &[u64],
        calculations: &[Calculation],
    ) -> (Option<Key>, Option<Call>) {
        let selection =
            Selection { profiles: &self.profiles, calculations, buffer: &mut self.buffer };
        self.tables[usize::from(table)].explain(slots, selection)
    }
}

/// A counter array.
#[derive(Debug)]
pub(crate) struct Counter {
    pub(crate) name: String,
    pub(crate) cells: Vec<CounterValue>,
}
