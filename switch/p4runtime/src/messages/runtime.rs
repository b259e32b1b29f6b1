//! Entities (`p4/v1/p4runtime.proto`).

use super::data::P4Data;
use super::rpc::Any;

pub use super::action_set::ActionProfileActionSet;
pub use super::actions::{Action, ActionProfileAction, Param, WatchKind};

// Without boxes, the cells of a long Read of registers would be four times as large.
type BoxedTableEntry = Box<TableEntry>;
type BoxedMeterEntry = Box<MeterEntry>;
type BoxedDirectMeterEntry = Box<DirectMeterEntry>;
type BoxedDirectCounterEntry = Box<DirectCounterEntry>;

messages! {
    /// `Entity`
    message AnyEntity {
        oneof Entity entity {
            ExternEntry Extern = 1;
            BoxedTableEntry TableEntry = 2;
            ActionProfileMember Member = 3;
            ActionProfileGroup Group = 4;
            BoxedMeterEntry Meter = 5;
            BoxedDirectMeterEntry DirectMeter = 6;
            CounterEntry Counter = 7;
            BoxedDirectCounterEntry DirectCounter = 8;
            PacketReplicationEngineEntry Replication = 9;
            ValueSetEntry ValueSet = 10;
            RegisterEntry Register = 11;
            DigestEntry Digest = 12;
        }
    }

    message ExternEntry {
        uint32 extern_type_id = 1;
        uint32 extern_id = 2;
        Any entry = 3;
    }

    message TableEntry {
        uint32 table_id = 1;
        repeated FieldMatch key = 2;
        TableAction action = 3;
        int32 priority = 4;
        uint64 controller_metadata = 5;
        MeterConfig meter_config = 6;
        CounterData counter_data = 7;
        MeterCounterData meter_counter_data = 12;
        bool is_default_action = 8;
        int64 idle_timeout_ns = 9;
        IdleTimeout time_since_last_hit = 10;
        bytes metadata = 11;
        bool is_const = 13;
    }

    #[derive(Copy, Eq)]
    message IdleTimeout {
        int64 elapsed_ns = 1;
    }

    message FieldMatch {
        uint32 field_id = 1;
        oneof MatchType match_type {
            Value Exact = 2;
            Ternary Ternary = 3;
            Lpm Lpm = 4;
            Range Range = 6;
            Value Optional = 7;
            Any Other = 100;
        }
    }

    /// `FieldMatch.Exact` and `FieldMatch.Optional`
    message Value {
        bytes value = 1;
    }

    message Ternary {
        bytes value = 1;
        bytes mask = 2;
    }

    message Lpm {
        bytes value = 1;
        int32 prefix_len = 2;
    }

    message Range {
        bytes low = 1;
        bytes high = 2;
    }

    message TableAction {
        oneof ActionKind kind {
            Action Action = 1;
            uint32 MemberId = 2;
            uint32 GroupId = 3;
            ActionProfileActionSet ActionSet = 4;
        }
    }

    message ActionProfileMember {
        uint32 action_profile_id = 1;
        uint32 member_id = 2;
        Action action = 3;
    }

    message ActionProfileGroup {
        uint32 action_profile_id = 1;
        uint32 group_id = 2;
        repeated GroupMember members = 3;
        int32 max_size = 4;
    }

    message GroupMember {
        uint32 member_id = 1;
        int32 weight = 2;
        oneof WatchKind watch_kind = 3 | 4;
    }

    #[derive(Copy, Eq)]
    message Index {
        int64 index = 1;
    }

    #[derive(Copy, Eq)]
    message MeterEntry {
        uint32 meter_id = 1;
        Index index = 2;
        MeterConfig config = 3;
        MeterCounterData counter_data = 4;
    }

    message DirectMeterEntry {
        required TableEntry table_entry = 1;
        MeterConfig config = 2;
        MeterCounterData counter_data = 3;
    }

    #[derive(Copy, Eq)]
    message MeterConfig {
        int64 cir = 1;
        int64 cburst = 2;
        int64 pir = 3;
        int64 pburst = 4;
        int64 eburst = 5;
    }

    #[derive(Copy, Eq)]
    message CounterEntry {
        uint32 counter_id = 1;
        Index index = 2;
        CounterData data = 3;
    }

    message DirectCounterEntry {
        required TableEntry table_entry = 1;
        CounterData data = 2;
    }

    #[derive(Copy, Eq)]
    message CounterData {
        int64 byte_count = 1;
        int64 packet_count = 2;
    }

    #[derive(Copy, Eq)]
    message MeterCounterData {
        CounterData green = 1;
        CounterData yellow = 2;
        CounterData red = 3;
    }

    message PacketReplicationEngineEntry {
        oneof Replication kind {
            MulticastGroupEntry Group = 1;
            CloneSessionEntry Session = 2;
        }
    }

    message BackupReplica {
        bytes port = 1;
        uint32 instance = 2;
    }

    message Replica {
        oneof PortKind port_kind {
            uint32 EgressPort = 1;
            bytes Port = 3;
        }
        uint32 instance = 2;
        repeated BackupReplica backup_replicas = 4;
    }

    message MulticastGroupEntry {
        uint32 multicast_group_id = 1;
        repeated Replica replicas = 2;
        bytes metadata = 3;
    }

    message CloneSessionEntry {
        uint32 session_id = 1;
        repeated Replica replicas = 2;
        uint32 class_of_service = 3;
        int32 packet_length_bytes = 4;
    }

    message ValueSetMember {
        repeated FieldMatch key = 1;
    }

    message ValueSetEntry {
        uint32 value_set_id = 1;
        repeated ValueSetMember members = 2;
    }

    message RegisterEntry {
        uint32 register_id = 1;
        Index index = 2;
        P4Data data = 3;
    }

    #[derive(Copy, Eq)]
    message DigestEntry {
        uint32 digest_id = 1;
        DigestConfig config = 2;
    }

    /// `DigestEntry.Config`: how a digest is sent.
    #[derive(Copy, Eq)]
    message DigestConfig {
        /// How long a list may wait; 0: not at all.
        int64 max_timeout_ns = 1;
        /// The most digests of a list; 0: no bound.
        int32 max_list_size = 2;
        /// How long a list waits for its acknowledgment; 0: it needs none.
        int64 ack_timeout_ns = 3;
    }
}
