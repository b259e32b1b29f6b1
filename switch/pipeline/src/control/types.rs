//! The values that the control plane exchanges with a pipeline.

/// One field of a table entry's key. Values are big-endian bytes of any length whose number fits
/// the field; those that a pipeline returns have the field's width, rounded up to whole bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Match {
    /// The field equals the value.
    Exact(Vec<u8>),
    /// The field's leading bits equal the value's.
    Lpm {
        /// Its bits after the prefix must be 0.
        value: Vec<u8>,
        /// How many leading bits count.
        prefix_length: u32,
    },
    /// The field equals the value where the mask has ones.
    Ternary {
        /// Its bits must be 0 where the mask has zeros.
        value: Vec<u8>,
        /// The bits that count.
        mask: Vec<u8>,
    },
    /// The field lies between two values.
    Range {
        /// The smallest value that matches.
        low: Vec<u8>,
        /// The largest value that matches.
        high: Vec<u8>,
    },
    /// Any value; not for exact fields.
    Any,
}

/// How a key field is matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchKind {
    /// Equal.
    Exact,
    /// The longest prefix that is equal.
    Lpm,
    /// Equal where a mask has ones.
    Ternary,
    /// Between two values.
    Range,
}

/// A table entry as the control plane wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableEntry {
    /// One match for every field of the table's key.
    pub key: Vec<Match>,
    /// The action's name.
    pub action: String,
    /// One value for every parameter of the action.
    pub arguments: Vec<Vec<u8>>,
    /// Larger wins; 0 in tables without ternary or range fields.
    pub priority: i32,
    /// The direct counter; zero in tables without one.
    pub counter: CounterValue,
}

/// What a table does with packets that match no entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefaultEntry {
    /// The action's name.
    pub action: String,
    /// One value for every parameter of the action.
    pub arguments: Vec<Vec<u8>>,
    /// The direct counter; zero in tables without one.
    pub counter: CounterValue,
}

/// A counter cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CounterValue {
    /// Packets counted.
    pub packets: u64,
    /// Their bytes as received: Ethernet frames without FCS.
    pub bytes: u64,
}

/// A table of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableInfo {
    /// Its P4Info name.
    pub name: String,
    /// The most entries it holds.
    pub size: usize,
    /// The fields of its key.
    pub key: Vec<KeyInfo>,
    /// Its actions.
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
    /// Its P4Info name.
    pub name: String,
    /// How it is matched.
    pub kind: MatchKind,
    /// Its width.
    pub bitwidth: usize,
}

/// An action of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionInfo {
    /// Its P4Info name.
    pub name: String,
    /// Its parameters, in order.
    pub parameters: Vec<ParameterInfo>,
}

/// A parameter of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterInfo {
    /// Its name.
    pub name: String,
    /// Its width.
    pub bitwidth: usize,
}

/// A register array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterInfo {
    /// Its P4Info name.
    pub name: String,
    /// How many cells it has.
    pub size: usize,
    /// The width of a cell.
    pub bitwidth: usize,
}

/// A counter array; direct counters belong to their tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterInfo {
    /// Its P4Info name.
    pub name: String,
    /// How many cells it has.
    pub size: usize,
}

/// What a meter lets pass, in packets or bytes as received: a packet is green while it keeps to
/// the committed rate and burst, yellow while it keeps to the peak's, otherwise red.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MeterConfig {
    /// Committed information rate, per second; at most `pir`.
    pub cir: u64,
    /// Committed burst size.
    pub cburst: u64,
    /// Peak information rate, per second.
    pub pir: u64,
    /// Peak burst size.
    pub pburst: u64,
}

/// A meter array; direct meters belong to their tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeterInfo {
    /// Its P4Info name.
    pub name: String,
    /// How many cells it has.
    pub size: usize,
}

/// A parser value set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueSetInfo {
    /// Its P4Info name.
    pub name: String,
    /// The most members it holds.
    pub size: usize,
    /// The widths of its fields.
    pub bitwidths: Vec<usize>,
}
