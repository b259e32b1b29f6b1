//! Entities (`p4/v1/p4runtime.proto`).

use super::data::P4Data;
use super::rpc::Any;

pub(crate) use super::action_set::ActionProfileActionSet;
pub(crate) use super::actions::{Action, ActionProfileAction, Param, WatchKind};

/// `Entity`
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct AnyEntity {
    #[prost(oneof = "Entity", tags = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12")]
    pub(crate) entity: Option<Entity>,
}

#[allow(clippy::large_enum_variant)] // a box for each would cost more than it spares
#[derive(Clone, PartialEq, prost::Oneof)]
pub(crate) enum Entity {
    #[prost(message, tag = "1")]
    Extern(ExternEntry),
    #[prost(message, tag = "2")]
    TableEntry(TableEntry),
    #[prost(message, tag = "3")]
    Member(ActionProfileMember),
    #[prost(message, tag = "4")]
    Group(ActionProfileGroup),
    #[prost(message, tag = "5")]
    Meter(MeterEntry),
    #[prost(message, tag = "6")]
    DirectMeter(DirectMeterEntry),
    #[prost(message, tag = "7")]
    Counter(CounterEntry),
    #[prost(message, tag = "8")]
    DirectCounter(DirectCounterEntry),
    #[prost(message, tag = "9")]
    Replication(PacketReplicationEngineEntry),
    #[prost(message, tag = "10")]
    ValueSet(ValueSetEntry),
    #[prost(message, tag = "11")]
    Register(RegisterEntry),
    #[prost(message, tag = "12")]
    Digest(DigestEntry),
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ExternEntry {
    #[prost(uint32, tag = "1")]
    pub(crate) extern_type_id: u32,
    #[prost(uint32, tag = "2")]
    pub(crate) extern_id: u32,
    #[prost(message, optional, tag = "3")]
    pub(crate) entry: Option<Any>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct TableEntry {
    #[prost(uint32, tag = "1")]
    pub(crate) table_id: u32,
    #[prost(message, repeated, tag = "2")]
    pub(crate) key: Vec<FieldMatch>,
    #[prost(message, optional, tag = "3")]
    pub(crate) action: Option<TableAction>,
    #[prost(int32, tag = "4")]
    pub(crate) priority: i32,
    #[prost(uint64, tag = "5")]
    pub(crate) controller_metadata: u64,
    #[prost(message, optional, tag = "6")]
    pub(crate) meter_config: Option<MeterConfig>,
    #[prost(message, optional, tag = "7")]
    pub(crate) counter_data: Option<CounterData>,
    #[prost(message, optional, tag = "12")]
    pub(crate) meter_counter_data: Option<MeterCounterData>,
    #[prost(bool, tag = "8")]
    pub(crate) is_default_action: bool,
    #[prost(int64, tag = "9")]
    pub(crate) idle_timeout_ns: i64,
    #[prost(message, optional, tag = "10")]
    pub(crate) time_since_last_hit: Option<IdleTimeout>,
    #[prost(bytes = "vec", tag = "11")]
    pub(crate) metadata: Vec<u8>,
    #[prost(bool, tag = "13")]
    pub(crate) is_const: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub(crate) struct IdleTimeout {
    #[prost(int64, tag = "1")]
    pub(crate) elapsed_ns: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct FieldMatch {
    #[prost(uint32, tag = "1")]
    pub(crate) field_id: u32,
    #[prost(oneof = "MatchType", tags = "2, 3, 4, 6, 7, 100")]
    pub(crate) match_type: Option<MatchType>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(crate) enum MatchType {
    #[prost(message, tag = "2")]
    Exact(Value),
    #[prost(message, tag = "3")]
    Ternary(Ternary),
    #[prost(message, tag = "4")]
    Lpm(Lpm),
    #[prost(message, tag = "6")]
    Range(Range),
    #[prost(message, tag = "7")]
    Optional(Value),
    #[prost(message, tag = "100")]
    Other(Any),
}

/// `FieldMatch.Exact` and `FieldMatch.Optional`
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Value {
    #[prost(bytes = "vec", tag = "1")]
    pub(crate) value: Vec<u8>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Ternary {
    #[prost(bytes = "vec", tag = "1")]
    pub(crate) value: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    pub(crate) mask: Vec<u8>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Lpm {
    #[prost(bytes = "vec", tag = "1")]
    pub(crate) value: Vec<u8>,
    #[prost(int32, tag = "2")]
    pub(crate) prefix_len: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Range {
    #[prost(bytes = "vec", tag = "1")]
    pub(crate) low: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    pub(crate) high: Vec<u8>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct TableAction {
    #[prost(oneof = "ActionKind", tags = "1, 2, 3, 4")]
    pub(crate) kind: Option<ActionKind>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(crate) enum ActionKind {
    #[prost(message, tag = "1")]
    Action(Action),
    #[prost(uint32, tag = "2")]
    MemberId(u32),
    #[prost(uint32, tag = "3")]
    GroupId(u32),
    #[prost(message, tag = "4")]
    ActionSet(ActionProfileActionSet),
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ActionProfileMember {
    #[prost(uint32, tag = "1")]
    pub(crate) action_profile_id: u32,
    #[prost(uint32, tag = "2")]
    pub(crate) member_id: u32,
    #[prost(message, optional, tag = "3")]
    pub(crate) action: Option<Action>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ActionProfileGroup {
    #[prost(uint32, tag = "1")]
    pub(crate) action_profile_id: u32,
    #[prost(uint32, tag = "2")]
    pub(crate) group_id: u32,
    #[prost(message, repeated, tag = "3")]
    pub(crate) members: Vec<GroupMember>,
    #[prost(int32, tag = "4")]
    pub(crate) max_size: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct GroupMember {
    #[prost(uint32, tag = "1")]
    pub(crate) member_id: u32,
    #[prost(int32, tag = "2")]
    pub(crate) weight: i32,
    #[prost(oneof = "WatchKind", tags = "3, 4")]
    pub(crate) watch_kind: Option<WatchKind>,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub(crate) struct Index {
    #[prost(int64, tag = "1")]
    pub(crate) index: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub(crate) struct MeterEntry {
    #[prost(uint32, tag = "1")]
    pub(crate) meter_id: u32,
    #[prost(message, optional, tag = "2")]
    pub(crate) index: Option<Index>,
    #[prost(message, optional, tag = "3")]
    pub(crate) config: Option<MeterConfig>,
    #[prost(message, optional, tag = "4")]
    pub(crate) counter_data: Option<MeterCounterData>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct DirectMeterEntry {
    #[prost(message, optional, tag = "1")]
    pub(crate) table_entry: Option<TableEntry>,
    #[prost(message, optional, tag = "2")]
    pub(crate) config: Option<MeterConfig>,
    #[prost(message, optional, tag = "3")]
    pub(crate) counter_data: Option<MeterCounterData>,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub(crate) struct MeterConfig {
    #[prost(int64, tag = "1")]
    pub(crate) cir: i64,
    #[prost(int64, tag = "2")]
    pub(crate) cburst: i64,
    #[prost(int64, tag = "3")]
    pub(crate) pir: i64,
    #[prost(int64, tag = "4")]
    pub(crate) pburst: i64,
    #[prost(int64, tag = "5")]
    pub(crate) eburst: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub(crate) struct CounterEntry {
    #[prost(uint32, tag = "1")]
    pub(crate) counter_id: u32,
    #[prost(message, optional, tag = "2")]
    pub(crate) index: Option<Index>,
    #[prost(message, optional, tag = "3")]
    pub(crate) data: Option<CounterData>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct DirectCounterEntry {
    #[prost(message, optional, tag = "1")]
    pub(crate) table_entry: Option<TableEntry>,
    #[prost(message, optional, tag = "2")]
    pub(crate) data: Option<CounterData>,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub(crate) struct CounterData {
    #[prost(int64, tag = "1")]
    pub(crate) byte_count: i64,
    #[prost(int64, tag = "2")]
    pub(crate) packet_count: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub(crate) struct MeterCounterData {
    #[prost(message, optional, tag = "1")]
    pub(crate) green: Option<CounterData>,
    #[prost(message, optional, tag = "2")]
    pub(crate) yellow: Option<CounterData>,
    #[prost(message, optional, tag = "3")]
    pub(crate) red: Option<CounterData>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct PacketReplicationEngineEntry {
    #[prost(oneof = "Replication", tags = "1, 2")]
    pub(crate) kind: Option<Replication>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(crate) enum Replication {
    #[prost(message, tag = "1")]
    Group(MulticastGroupEntry),
    #[prost(message, tag = "2")]
    Session(CloneSessionEntry),
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct BackupReplica {
    #[prost(bytes = "vec", tag = "1")]
    pub(crate) port: Vec<u8>,
    #[prost(uint32, tag = "2")]
    pub(crate) instance: u32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Replica {
    #[prost(oneof = "PortKind", tags = "1, 3")]
    pub(crate) port_kind: Option<PortKind>,
    #[prost(uint32, tag = "2")]
    pub(crate) instance: u32,
    #[prost(message, repeated, tag = "4")]
    pub(crate) backup_replicas: Vec<BackupReplica>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(crate) enum PortKind {
    #[prost(uint32, tag = "1")]
    EgressPort(u32),
    #[prost(bytes, tag = "3")]
    Port(Vec<u8>),
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct MulticastGroupEntry {
    #[prost(uint32, tag = "1")]
    pub(crate) multicast_group_id: u32,
    #[prost(message, repeated, tag = "2")]
    pub(crate) replicas: Vec<Replica>,
    #[prost(bytes = "vec", tag = "3")]
    pub(crate) metadata: Vec<u8>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct CloneSessionEntry {
    #[prost(uint32, tag = "1")]
    pub(crate) session_id: u32,
    #[prost(message, repeated, tag = "2")]
    pub(crate) replicas: Vec<Replica>,
    #[prost(uint32, tag = "3")]
    pub(crate) class_of_service: u32,
    #[prost(int32, tag = "4")]
    pub(crate) packet_length_bytes: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ValueSetMember {
    #[prost(message, repeated, tag = "1")]
    pub(crate) key: Vec<FieldMatch>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ValueSetEntry {
    #[prost(uint32, tag = "1")]
    pub(crate) value_set_id: u32,
    #[prost(message, repeated, tag = "2")]
    pub(crate) members: Vec<ValueSetMember>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct RegisterEntry {
    #[prost(uint32, tag = "1")]
    pub(crate) register_id: u32,
    #[prost(message, optional, tag = "2")]
    pub(crate) index: Option<Index>,
    #[prost(message, optional, tag = "3")]
    pub(crate) data: Option<P4Data>,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub(crate) struct DigestEntry {
    #[prost(uint32, tag = "1")]
    pub(crate) digest_id: u32,
    #[prost(message, optional, tag = "2")]
    pub(crate) config: Option<DigestConfig>,
}

/// `DigestEntry.Config`: how a digest is sent.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct DigestConfig {
    /// How long a list may wait; 0: not at all.
    #[prost(int64, tag = "1")]
    pub max_timeout_ns: i64,
    /// The most digests of a list; 0: no bound.
    #[prost(int32, tag = "2")]
    pub max_list_size: i32,
    /// How long a list waits for its acknowledgment; 0: it needs none.
    #[prost(int64, tag = "3")]
    pub ack_timeout_ns: i64,
}
