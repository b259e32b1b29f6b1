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

impl MatchKind {
    /// Whether several entries can match, so that a priority must decide.
    pub(crate) fn needs_priority(self) -> bool {
        matches!(self, MatchKind::Ternary | MatchKind::Range)
    }
}

/// An action and the values of its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionCall {
    /// The action's name.
    pub name: String,
    /// One value for every parameter of the action.
    pub arguments: Vec<Vec<u8>>,
}

/// What a table entry does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableAction {
    /// It runs an action; in tables with an action profile, only the default entry can.
    Call(ActionCall),
    /// It runs the member with this id of the table's action profile.
    Member(u32),
    /// It runs a member of the group with this id of the table's action selector.
    Group(u32),
    /// It runs one of these actions, as if they were members of a group of its own.
    OneShot(Vec<WeightedAction>),
}

/// One action of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightedAction {
    /// The action.
    pub action: ActionCall,
    /// How many times it counts; at least 1.
    pub weight: u32,
    /// It is not chosen while this port is down.
    pub watch_port: Option<u16>,
}

/// A member of an action profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileMember {
    /// Its id.
    pub id: u32,
    /// What it does.
    pub action: ActionCall,
}

/// A group of an action selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileGroup {
    /// Its id.
    pub id: u32,
    /// The most that the weights of its members can add up to; 0: no bound of its own.
    pub max_size: u32,
    /// Its members.
    pub members: Vec<GroupMember>,
    /// What the control plane attached to it.
    pub metadata: Box<[u8]>,
}

/// A member of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupMember {
    /// The member's id in the profile.
    pub member_id: u32,
    /// How many times it counts; at least 1.
    pub weight: u32,
    /// It is not chosen while this port is down.
    pub watch_port: Option<u16>,
}

/// A table entry to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntry {
    /// One match for every field of the table's key.
    pub key: Vec<Match>,
    /// Larger wins; larger than 0 in tables with ternary or range fields, 0 in all others.
    pub priority: i32,
    /// What it does.
    pub action: TableAction,
    /// How long it takes without a hit until it counts as idle; 0: for ever.
    pub idle_timeout_ns: u64,
    /// What the control plane wants to be told again; it means nothing here.
    pub metadata: Box<[u8]>,
}

/// A table entry as the control plane wrote it, and what has become of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableEntry {
    /// One match for every field of the table's key.
    pub key: Vec<Match>,
    /// What it does.
    pub action: TableAction,
    /// Larger wins; 0 in tables without ternary or range fields.
    pub priority: i32,
    /// The direct counter; zero in tables without one.
    pub counter: CounterValue,
    /// The direct meter; none also while it is not configured.
    pub meter: Option<MeterConfig>,
    /// What the direct meter has found; zero in tables without one.
    pub meter_counts: ColorCounts,
    /// How long it takes without a hit until it counts as idle; 0: for ever.
    pub idle_timeout_ns: u64,
    /// The time since the last hit, or since it was made; 0 in tables without idle timeouts.
    pub idle_ns: u64,
    /// What the control plane attached to it.
    pub metadata: Box<[u8]>,
}

/// What a table does with packets that match no entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefaultEntry {
    /// What it does.
    pub action: TableAction,
    /// The direct counter; zero in tables without one.
    pub counter: CounterValue,
    /// What the control plane attached to it.
    pub metadata: Box<[u8]>,
}

/// A counter cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CounterValue {
    /// Packets counted.
    pub packets: u64,
    /// Their bytes as received: Ethernet frames without FCS.
    pub bytes: u64,
}

impl CounterValue {
    /// Counts one packet.
    #[inline]
    pub(crate) fn count(&mut self, packet_bytes: usize) {
        self.packets = self.packets.wrapping_add(1);
        self.bytes = self.bytes.wrapping_add(packet_bytes as u64);
    }
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
    /// It meters packets per entry.
    pub direct_meter: bool,
    /// It keeps the time of every entry's last hit.
    pub idle_timeout: bool,
    /// Its entries need a priority.
    pub needs_priority: bool,
    /// The action profile that its entries refer to.
    pub profile: Option<String>,
}

/// An action profile of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileInfo {
    /// Its P4Info name.
    pub name: String,
    /// The most members that it holds.
    pub size: usize,
    /// It has groups: it is an action selector.
    pub with_selector: bool,
    /// The actions of its members.
    pub actions: Vec<ActionInfo>,
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
    pub bitwidth: u32,
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

/// A digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DigestInfo {
    /// Its name.
    pub name: String,
    /// The widths of its fields; those of nested structs stand in place of the struct.
    pub widths_bits: Vec<u32>,
}

/// A type of headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderTypeInfo {
    /// Names and widths of its fields, in order; the width of a variable field is 0.
    pub fields: Vec<(String, u32)>,
}

/// A counter or meter array; direct ones belong to their tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrayInfo {
    /// Its P4Info name.
    pub name: String,
    /// How many cells it has.
    pub size: usize,
}

/// What a meter lets pass, in packets or bytes as received: a packet is green while it keeps to
/// the committed rate and burst, yellow while it keeps to the peak's, otherwise red.
///
/// With an excess burst size there is one rate, and the peak's are the committed ones: yellow is what
/// keeps to the burst of the tokens that the committed burst has no room for.
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
    /// Excess burst size; 0: none.
    pub eburst: u64,
}

/// What a meter found to be of each color since it was made, or its counts were set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ColorCounts {
    /// All that was metered before it was configured, too.
    pub green: CounterValue,
    /// What exceeded the committed rate and burst.
    pub yellow: CounterValue,
    /// What exceeded the peak's, or the excess burst.
    pub red: CounterValue,
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
