//! Requests, answers and packets (`p4/v1/p4runtime.proto`).

use super::runtime::AnyEntity;

messages! {
    /// An election id.
    #[derive(Copy, Eq)]
    message Uint128 {
        uint64 high = 1;
        uint64 low = 2;
    }

    /// Its updates are messages [`Update`], which are decoded one after the other.
    message WriteRequest {
        uint64 device_id = 1;
        string role = 6;
        Uint128 election_id = 3;
        repeated bytes updates = 4;
        int32 atomicity = 5;
    }

    message Update {
        int32 kind = 1;
        AnyEntity entity = 2;
    }

    /// Its entities are messages [`AnyEntity`], which are decoded one after the other.
    message ReadRequest {
        uint64 device_id = 1;
        string role = 3;
        repeated bytes entities = 2;
    }

    message ReadResponse {
        repeated AnyEntity entities = 1;
    }

    message SetForwardingPipelineConfigRequest {
        uint64 device_id = 1;
        string role = 6;
        Uint128 election_id = 3;
        int32 action = 4;
        /// Messages [`ForwardingPipelineConfig`] that are one.
        repeated bytes config = 5;
    }

    /// The P4Info as it came: parts of one that is given in several are one after the other.
    message ForwardingPipelineConfig {
        repeated bytes p4info = 1;
        bytes p4_device_config = 2;
        Cookie cookie = 3;
    }

    #[derive(Copy, Eq)]
    message Cookie {
        uint64 cookie = 1;
    }

    message GetForwardingPipelineConfigResponse {
        ForwardingPipelineConfig config = 1;
    }

    /// `p4.v1.Error`
    message DetailedError {
        int32 canonical_code = 1;
        string message = 2;
    }

    /// A field of a controller header.
    message PacketMetadata {
        uint32 metadata_id = 1;
        bytes value = 2;
    }

    /// `PacketIn` and `PacketOut`
    message Packet {
        bytes payload = 1;
        repeated PacketMetadata metadata = 2;
    }
}

impl From<Uint128> for u128 {
    fn from(id: Uint128) -> u128 {
        u128::from(id.high) << 64 | u128::from(id.low)
    }
}

impl From<u128> for Uint128 {
    fn from(number: u128) -> Uint128 {
        Uint128 { high: (number >> 64) as u64, low: number as u64 }
    }
}
