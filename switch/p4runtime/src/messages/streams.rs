//! What goes over a controller's stream, and requests about a server (`p4/v1/p4runtime.proto`).

use super::requests::Uint128;
use super::rpc::{Any, Status};

/// What a controller says.
#[derive(Clone, PartialEq, prost::Message)]
pub struct StreamMessageRequest {
    /// It.
    #[prost(oneof = "ToSwitch", tags = "1, 2, 3, 4")]
    pub update: Option<ToSwitch>,
}

/// `StreamMessageRequest.update`
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum ToSwitch {
    /// A bid.
    #[prost(message, tag = "1")]
    Arbitration(MasterArbitrationUpdate),
    /// A `PacketOut`.
    #[prost(bytes, tag = "2")]
    Packet(Vec<u8>),
    /// A list has been acted on.
    #[prost(message, tag = "3")]
    DigestAck(DigestListAck),
    /// Of an architecture.
    #[prost(message, tag = "4")]
    Other(Any),
}

/// What a controller is told.
#[derive(Clone, PartialEq, prost::Message)]
pub struct StreamMessageResponse {
    /// It.
    #[prost(oneof = "ToController", tags = "1, 2, 3, 4, 6")]
    pub update: Option<ToController>,
}

/// `StreamMessageResponse.update`
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum ToController {
    /// Where it stands.
    #[prost(message, tag = "1")]
    Arbitration(MasterArbitrationUpdate),
    /// A packet-in.
    #[prost(message, tag = "2")]
    Packet(super::Packet),
    /// Digests.
    #[prost(message, tag = "3")]
    Digest(DigestList),
    /// Entries that are not hit.
    #[prost(message, tag = "4")]
    Idle(IdleTimeoutNotification),
    /// A message of the controller was dropped.
    #[prost(message, tag = "6")]
    Error(StreamError),
}

/// A bid, and where a controller stands.
#[derive(Clone, PartialEq, prost::Message)]
pub struct MasterArbitrationUpdate {
    /// The device.
    #[prost(uint64, tag = "1")]
    pub device_id: u64,
    /// None: the default role.
    #[prost(message, optional, tag = "2")]
    pub role: Option<Role>,
    /// Of the bid; the highest ever received.
    #[prost(message, optional, tag = "3")]
    pub election_id: Option<Uint128>,
    /// OK: it is primary.
    #[prost(message, optional, tag = "4")]
    pub status: Option<Status>,
}

/// A role.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Role {
    /// Its name.
    #[prost(string, tag = "3")]
    pub name: String,
    /// What it may do, by an agreement.
    #[prost(message, optional, tag = "2")]
    pub config: Option<Any>,
}

/// Digests of one kind.
#[derive(Clone, PartialEq, prost::Message)]
pub struct DigestList {
    /// Which kind.
    #[prost(uint32, tag = "1")]
    pub digest_id: u32,
    /// What an acknowledgment names.
    #[prost(uint64, tag = "2")]
    pub list_id: u64,
    /// Each a `P4Data`.
    #[prost(bytes = "vec", repeated, tag = "3")]
    pub data: Vec<Vec<u8>>,
    /// Nanoseconds since 1970.
    #[prost(int64, tag = "4")]
    pub timestamp: i64,
}

/// A list has been acted on.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct DigestListAck {
    /// The kind.
    #[prost(uint32, tag = "1")]
    pub digest_id: u32,
    /// The list.
    #[prost(uint64, tag = "2")]
    pub list_id: u64,
}

/// Entries that are not hit.
#[derive(Clone, PartialEq, prost::Message)]
pub struct IdleTimeoutNotification {
    /// Each a `TableEntry`.
    #[prost(bytes = "vec", repeated, tag = "1")]
    pub table_entry: Vec<Vec<u8>>,
    /// Nanoseconds since 1970.
    #[prost(int64, tag = "2")]
    pub timestamp: i64,
}

/// A message of the controller was dropped.
#[derive(Clone, PartialEq, prost::Message)]
pub struct StreamError {
    /// Why.
    #[prost(int32, tag = "1")]
    pub canonical_code: i32,
    /// For people.
    #[prost(string, tag = "2")]
    pub message: String,
    /// Which message.
    #[prost(oneof = "Dropped", tags = "5, 6, 7")]
    pub details: Option<Dropped>,
}

/// `StreamError.details`
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Dropped {
    /// A packet.
    #[prost(message, tag = "5")]
    PacketOut(PacketOutError),
    /// An acknowledgment.
    #[prost(message, tag = "6")]
    DigestListAck(DigestListAckError),
    /// Anything else.
    #[prost(message, tag = "7")]
    Other(StreamOtherError),
}

/// A packet that was dropped.
#[derive(Clone, PartialEq, prost::Message)]
pub struct PacketOutError {
    /// The `PacketOut`.
    #[prost(bytes = "vec", optional, tag = "1")]
    pub packet_out: Option<Vec<u8>>,
}

/// An acknowledgment that was dropped.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct DigestListAckError {
    /// It.
    #[prost(message, optional, tag = "1")]
    pub digest_list_ack: Option<DigestListAck>,
}

/// Another message that was dropped.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct StreamOtherError {}

/// What the server can.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct CapabilitiesRequest {
    /// 0: the server as a whole.
    #[prost(uint64, tag = "1")]
    pub device_id: u64,
}

/// What the server can.
#[derive(Clone, PartialEq, prost::Message)]
pub struct CapabilitiesResponse {
    /// The specification's version.
    #[prost(string, tag = "1")]
    pub p4runtime_api_version: String,
}

/// A config is asked for.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub struct GetForwardingPipelineConfigRequest {
    /// The device.
    #[prost(uint64, tag = "1")]
    pub device_id: u64,
    /// Which parts of it.
    #[prost(int32, tag = "2")]
    pub response_type: i32,
}
