//! Requests as they come: bytes of P4Runtime's messages, of which the sender is looked at first. Their
//! parts stay bytes until their turn comes.

use std::sync::Arc;

use crate::decoding::{counted, in_parts, Parts};
use crate::messages::requests::{
    ReadRequest as ReadMessage, SetForwardingPipelineConfigRequest, WriteRequest as WriteMessage,
};
use crate::status::Result;

/// The fields of requests that have their parts.
const UPDATES: u32 = 4;
const ENTITIES: u32 = 2;

/// Whom a request is for, and who says that it is from him.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender<'a> {
    /// The device's id.
    pub device_id: u64,
    /// The role; empty: the default role.
    pub role: &'a str,
    /// The primary's election id, if given.
    pub election_id: Option<u128>,
}

/// `p4.v1.WriteRequest`
#[derive(Debug)]
pub struct WriteRequest {
    /// Without its updates.
    message: WriteMessage,
    pub(crate) updates: Arc<Parts>,
}

/// `p4.v1.ReadRequest`
#[derive(Debug)]
pub struct ReadRequest {
    /// Without its entities.
    message: ReadMessage,
    pub(crate) entities: Arc<Parts>,
}

/// `p4.v1.SetForwardingPipelineConfigRequest`
#[derive(Debug)]
pub struct PipelineRequest {
    message: SetForwardingPipelineConfigRequest,
}

impl WriteRequest {
    /// Refuses what is none, or has too many updates.
    pub fn decode(bytes: &[u8]) -> Result<WriteRequest> {
        let (message, updates) = in_parts("p4.v1.WriteRequest", bytes, UPDATES)?;
        Ok(WriteRequest { message, updates: Arc::new(updates) })
    }

    pub(crate) fn atomicity(&self) -> i32 {
        self.message.atomicity
    }

    /// Whom it is for and from.
    pub fn sender(&self) -> Sender<'_> {
        let WriteMessage { device_id, role, election_id, .. } = &self.message;
        Sender { device_id: *device_id, role, election_id: election_id.map(u128::from) }
    }
}

impl ReadRequest {
    /// Refuses what is none, or asks for too much.
    pub fn decode(bytes: &[u8]) -> Result<ReadRequest> {
        let (message, entities) = in_parts("p4.v1.ReadRequest", bytes, ENTITIES)?;
        Ok(ReadRequest { message, entities: Arc::new(entities) })
    }

    /// Whom it is for; there is no election id.
    pub fn sender(&self) -> Sender<'_> {
        let ReadMessage { device_id, role, .. } = &self.message;
        Sender { device_id: *device_id, role, election_id: None }
    }
}

impl PipelineRequest {
    /// Refuses what is none.
    pub fn decode(bytes: &[u8]) -> Result<PipelineRequest> {
        let message = counted("p4.v1.SetForwardingPipelineConfigRequest", bytes)?;
        Ok(PipelineRequest { message })
    }

    pub(crate) fn action(&self) -> i32 {
        self.message.action
    }

    /// The `p4.v1.ForwardingPipelineConfig`, if one is given; one in parts is all of them.
    pub(crate) fn config(&self) -> Option<Vec<u8>> {
        let parts = &self.message.config;
        (!parts.is_empty()).then(|| parts.concat())
    }

    /// Whom it is for and from.
    pub fn sender(&self) -> Sender<'_> {
        let SetForwardingPipelineConfigRequest { device_id, role, election_id, .. } = &self.message;
        Sender { device_id: *device_id, role, election_id: election_id.map(u128::from) }
    }
}
