//! Requests, answers and packets (`p4/v1/p4runtime.proto`).

use super::runtime::AnyEntity;

/// An election id.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct Uint128 {
    /// The upper half.
    #[prost(uint64, tag = "1")]
    pub high: u64,
    /// The lower half.
    #[prost(uint64, tag = "2")]
    pub low: u64,
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

/// Its updates are messages [`Update`], which are decoded one after the other.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct WriteRequest {
    #[prost(uint64, tag = "1")]
    pub(crate) device_id: u64,
    #[prost(string, tag = "6")]
    pub(crate) role: String,
    #[prost(message, optional, tag = "3")]
    pub(crate) election_id: Option<Uint128>,
    #[prost(bytes = "vec", repeated, tag = "4")]
    pub(crate) updates: Vec<Vec<u8>>,
    #[prost(int32, tag = "5")]
    pub(crate) atomicity: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Update {
    #[prost(int32, tag = "1")]
    pub(crate) kind: i32,
    #[prost(message, optional, tag = "2")]
    pub(crate) entity: Option<AnyEntity>,
}

/// Its entities are messages [`AnyEntity`], which are decoded one after the other.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ReadRequest {
    #[prost(uint64, tag = "1")]
    pub(crate) device_id: u64,
    #[prost(string, tag = "3")]
    pub(crate) role: String,
    #[prost(bytes = "vec", repeated, tag = "2")]
    pub(crate) entities: Vec<Vec<u8>>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ReadResponse {
    #[prost(message, repeated, tag = "1")]
    pub(crate) entities: Vec<AnyEntity>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct SetForwardingPipelineConfigRequest {
    #[prost(uint64, tag = "1")]
    pub(crate) device_id: u64,
    #[prost(string, tag = "6")]
    pub(crate) role: String,
    #[prost(message, optional, tag = "3")]
    pub(crate) election_id: Option<Uint128>,
    #[prost(int32, tag = "4")]
    pub(crate) action: i32,
    /// Messages [`ForwardingPipelineConfig`] that are one.
    #[prost(bytes = "vec", repeated, tag = "5")]
    pub(crate) config: Vec<Vec<u8>>,
}

/// The P4Info as it came: parts of one that is given in several are one after the other.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ForwardingPipelineConfig {
    #[prost(bytes = "vec", repeated, tag = "1")]
    pub(crate) p4info: Vec<Vec<u8>>,
    #[prost(bytes = "vec", tag = "2")]
    pub(crate) p4_device_config: Vec<u8>,
    #[prost(message, optional, tag = "3")]
    pub(crate) cookie: Option<Cookie>,
}

#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub(crate) struct Cookie {
    #[prost(uint64, tag = "1")]
    pub(crate) cookie: u64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct GetForwardingPipelineConfigResponse {
    #[prost(message, optional, tag = "1")]
    pub(crate) config: Option<ForwardingPipelineConfig>,
}

/// `p4.v1.Error`
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct DetailedError {
    #[prost(int32, tag = "1")]
    pub(crate) canonical_code: i32,
    #[prost(string, tag = "2")]
    pub(crate) message: String,
}

/// A field of a controller header.
#[derive(Clone, PartialEq, prost::Message)]
pub struct PacketMetadata {
    /// Which field.
    #[prost(uint32, tag = "1")]
    pub metadata_id: u32,
    /// Its number.
    #[prost(bytes = "vec", tag = "2")]
    pub value: Vec<u8>,
}

/// `PacketIn` and `PacketOut`
#[derive(Clone, PartialEq, prost::Message)]
pub struct Packet {
    /// What follows the controller header.
    #[prost(bytes = "vec", tag = "1")]
    pub payload: Vec<u8>,
    /// The controller header.
    #[prost(message, repeated, tag = "2")]
    pub metadata: Vec<PacketMetadata>,
}
