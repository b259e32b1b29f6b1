//! Requests as they come: bytes of P4Runtime's messages, of which the sender is looked at first. Their
//! parts stay bytes until their turn comes.

use crate::decoding::{counted, in_parts, Parts};
use crate::messages::requests::{
    ReadRequest as ReadMessage, SetForwardingPipelineConfigRequest as PipelineMessage,
    WriteRequest as WriteMessage,
};
use crate::status::Result;

/// The fields of requests that have their parts.
const UPDATES: u32 = 4;
const ENTITIES: u32 = 2;

/// Whom a request is for, and who says that it is from him.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender {
    /// The device's id.
    pub device_id: u64,
    /// The role; empty: the default role.
    pub role: String,
    /// The primary's election id, if given.
    pub election_id: Option<u128>,
}

/// `p4.v1.WriteRequest`
#[derive(Debug)]
pub struct WriteRequest {
    /// Whom it is for and from.
    pub sender: Sender,
    pub(crate) atomicity: i32,
    pub(crate) updates: Parts,
}

/// `p4.v1.ReadRequest`
#[derive(Debug)]
pub struct ReadRequest {
    /// Whom it is for; there is no election id.
    pub sender: Sender,
    pub(crate) entities: Parts,
}

/// `p4.v1.SetForwardingPipelineConfigRequest`
#[derive(Debug)]
pub struct PipelineRequest {
    /// Whom it is for and from.
    pub sender: Sender,
    pub(crate) action: i32,
    /// The `p4.v1.ForwardingPipelineConfig`, if one is given; one in parts is all of them.
    pub(crate) config: Option<Vec<u8>>,
}

impl WriteRequest {
    /// Refuses what is none, or has too many updates.
    pub fn decode(bytes: &[u8]) -> Result<WriteRequest> {
        let (message, updates) = in_parts("p4.v1.WriteRequest", bytes, UPDATES)?;
        let WriteMessage { device_id, role, election_id, atomicity, .. } = message;
        let sender = Sender { device_id, role, election_id: election_id.map(u128::from) };
        Ok(WriteRequest { sender, atomicity, updates })
    }
}

impl ReadRequest {
    /// Refuses what is none, or asks for too much.
    pub fn decode(bytes: &[u8]) -> Result<ReadRequest> {
        let (message, entities) = in_parts("p4.v1.ReadRequest", bytes, ENTITIES)?;
        let ReadMessage { device_id, role, .. } = message;
        Ok(ReadRequest { sender: Sender { device_id, role, election_id: None }, entities })
    }
}

impl PipelineRequest {
    /// Refuses what is none.
    pub fn decode(bytes: &[u8]) -> Result<PipelineRequest> {
        let message = counted("p4.v1.SetForwardingPipelineConfigRequest", bytes)?;
        let PipelineMessage { device_id, role, election_id, action, config } = message;
        let sender = Sender { device_id, role, election_id: election_id.map(u128::from) };
        let config = (!config.is_empty()).then(|| config.concat());
        Ok(PipelineRequest { sender, action, config })
    }
}
