//! The control plane's view of a pipeline: tables, registers and counters by P4Info name.
//!
//! Values are big-endian bytes of any length whose number fits the field's width.

use crate::{ControlError, Pipeline};

/// One field of a table entry's key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Match {
    /// The field equals the value.
    Exact(Vec<u8>),
    /// The field's leading `prefix_length` bits equal the value's; the other bits must be 0.
    Lpm { value: Vec<u8>, prefix_length: u32 },
    /// The field equals the value where the mask has ones; the value must be 0 elsewhere.
    Ternary { value: Vec<u8>, mask: Vec<u8> },
    /// low <= field <= high.
    Range { low: Vec<u8>, high: Vec<u8> },
    /// Any value; not for exact fields.
    Any,
}

/// How a key field is matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchKind {
    Exact,
    Lpm,
    Ternary,
    Range,
}

/// A table entry as the control plane wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableEntry {
    pub key: Vec<Match>,
    pub action: String,
    pub arguments: Vec<Vec<u8>>,
    /// Larger wins; 0 in tables without ternary or range fields.
    pub priority: i32,
    /// The direct counter; zero in tables without one.
    pub counter: CounterValue,
}

/// What a table does with packets that match no entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefaultEntry {
    pub action: String,
    pub arguments: Vec<Vec<u8>>,
    /// The direct counter; zero in tables without one.
    pub counter: CounterValue,
}

/// A counter cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CounterValue {
    pub packets: u64,
    pub bytes: u64,
}

/// A table of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableInfo {
    pub name: String,
    /// The most entries it holds.
    pub size: usize,
    pub key: Vec<KeyInfo>,
    pub actions: Vec<ActionInfo>,
    /// Its entries are the program's own: they cannot be changed.
    pub constant_entries: bool,
    /// It counts packets and bytes per entry.
    pub direct_counter: bool,
    /// Its entries need a priority.
    pub needs_priority: bool,
}

/// One field of a table's key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyInfo {
    pub name: String,
    pub kind: MatchKind,
    pub bitwidth: usize,
}

/// An action of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionInfo {
    pub name: String,
    pub parameters: Vec<ParameterInfo>,
}

/// A parameter of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterInfo {
    pub name: String,
    pub bitwidth: usize,
}

/// A register array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterInfo {
    pub name: String,
    pub size: usize,
    pub bitwidth: usize,
}

/// A counter array; direct counters belong to their tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterInfo {
    pub name: String,
    pub size: usize,
}

/// Reads and writes a pipeline's state. A request that fails has changed nothing.
#[derive(Debug)]
pub struct Control<'a> {
    pub(crate) _pipeline: &'a mut Pipeline,
}

#[allow(unused_variables)]
impl Control<'_> {
    /// The program's tables, without those that p4c made up for single actions.
    pub fn tables(&self) -> Vec<TableInfo> {
        todo!()
    }

    /// The program's register arrays.
    pub fn registers(&self) -> Vec<RegisterInfo> {
        todo!()
    }

    /// The program's indirect counter arrays.
    pub fn counters(&self) -> Vec<CounterInfo> {
        todo!()
    }

    pub fn table_insert(
        &mut self,
        table: &str,
        key: &[Match],
        action: &str,
        arguments: &[Vec<u8>],
        priority: i32,
    ) -> Result<(), ControlError> {
        todo!()
    }

    pub fn table_modify(
        &mut self,
        table: &str,
        key: &[Match],
        action: &str,
        arguments: &[Vec<u8>],
        priority: i32,
    ) -> Result<(), ControlError> {
        todo!()
    }

    pub fn table_delete(
        &mut self,
        table: &str,
        key: &[Match],
        priority: i32,
    ) -> Result<(), ControlError> {
        todo!()
    }

    pub fn table_entry(
        &self,
        table: &str,
        key: &[Match],
        priority: i32,
    ) -> Result<TableEntry, ControlError> {
        todo!()
    }

    pub fn table_entries(&self, table: &str) -> Result<Vec<TableEntry>, ControlError> {
        todo!()
    }

    pub fn table_default(&self, table: &str) -> Result<Option<DefaultEntry>, ControlError> {
        todo!()
    }

    pub fn table_set_default(
        &mut self,
        table: &str,
        action: &str,
        arguments: &[Vec<u8>],
    ) -> Result<(), ControlError> {
        todo!()
    }

    /// Returns to the default entry that the program declares.
    pub fn table_reset_default(&mut self, table: &str) -> Result<(), ControlError> {
        todo!()
    }

    /// Sets the direct counter of an entry.
    pub fn table_set_counter(
        &mut self,
        table: &str,
        key: &[Match],
        priority: i32,
        value: CounterValue,
    ) -> Result<(), ControlError> {
        todo!()
    }

    pub fn register_size(&self, register: &str) -> Result<usize, ControlError> {
        todo!()
    }

    pub fn register_read(&self, register: &str, index: usize) -> Result<u128, ControlError> {
        todo!()
    }

    pub fn register_write(
        &mut self,
        register: &str,
        index: usize,
        value: u128,
    ) -> Result<(), ControlError> {
        todo!()
    }

    /// Reads all cells or none.
    pub fn registers_read<N: AsRef<str>>(
        &self,
        cells: &[(N, usize)],
    ) -> Result<Vec<u128>, ControlError> {
        todo!()
    }

    /// Writes all cells or none.
    pub fn registers_write<N: AsRef<str>>(
        &mut self,
        cells: &[(N, usize, u128)],
    ) -> Result<(), ControlError> {
        todo!()
    }

    pub fn counter_size(&self, counter: &str) -> Result<usize, ControlError> {
        todo!()
    }

    pub fn counter_read(&self, counter: &str, index: usize) -> Result<CounterValue, ControlError> {
        todo!()
    }

    pub fn counter_write(
        &mut self,
        counter: &str,
        index: usize,
        value: CounterValue,
    ) -> Result<(), ControlError> {
        todo!()
    }
}
