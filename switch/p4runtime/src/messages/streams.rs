//! What goes over a controller's stream, and requests about a server (`p4/v1/p4runtime.proto`).

use super::requests::{Packet, Uint128};
use super::rpc::{Any, Status};

messages! {
    /// What a controller says.
    message StreamMessageRequest {
        oneof ToSwitch update {
            MasterArbitrationUpdate Arbitration = 1;
            /// A `PacketOut`.
            bytes Packet = 2;
            DigestListAck DigestAck = 3;
            Any Other = 4;
        }
    }

    /// What a controller is told.
    message StreamMessageResponse {
        oneof ToController update {
            MasterArbitrationUpdate Arbitration = 1;
            Packet Packet = 2;
            DigestList Digest = 3;
            IdleTimeoutNotification Idle = 4;
            StreamError Error = 6;
        }
    }

    /// A bid, and where a controller stands.
    message MasterArbitrationUpdate {
        uint64 device_id = 1;
        /// None: the default role.
        Role role = 2;
        Uint128 election_id = 3;
        /// OK: it is primary.
        Status status = 4;
    }

    message Role {
        string name = 3;
        Any config = 2;
    }

    message DigestList {
        uint32 digest_id = 1;
        uint64 list_id = 2;
        /// Each a `P4Data`.
        repeated bytes data = 3;
        /// Nanoseconds since 1970.
        int64 timestamp = 4;
    }

    /// A list has been acted on.
    #[derive(Copy, Eq)]
    message DigestListAck {
        uint32 digest_id = 1;
        uint64 list_id = 2;
    }

    /// Entries that are not hit.
    message IdleTimeoutNotification {
        /// Each a `TableEntry`.
        repeated bytes table_entry = 1;
        /// Nanoseconds since 1970.
        int64 timestamp = 2;
    }

    /// A message of the controller was dropped.
    message StreamError {
        int32 canonical_code = 1;
        string message = 2;
        oneof Dropped details {
            PacketOutError PacketOut = 5;
            DigestListAckError DigestListAck = 6;
            StreamOtherError Other = 7;
        }
    }

    message PacketOutError {
        /// The `PacketOut`.
        optional bytes packet_out = 1;
    }

    #[derive(Copy, Eq)]
    message DigestListAckError {
        DigestListAck digest_list_ack = 1;
    }

    #[derive(Copy, Eq)]
    message StreamOtherError {}

    #[derive(Copy, Eq)]
    message CapabilitiesRequest {
        uint64 device_id = 1;
    }

    message CapabilitiesResponse {
        string p4runtime_api_version = 1;
    }

    #[derive(Copy, Eq)]
    message GetForwardingPipelineConfigRequest {
        uint64 device_id = 1;
        int32 response_type = 2;
    }
}
