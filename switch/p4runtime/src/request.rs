//! Requests as they come: bytes of P4Runtime's messages, of which the sender is looked at first.

use crate::messages::requests::{
    ReadRequest as ReadMessage, SetForwardingPipelineConfigRequest, Uint128,
    WriteRequest as WriteMessage,
};
use crate::status::decoded;
use crate::status::Error;

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
    pub(crate) message: WriteMessage,
}

/// `p4.v1.ReadRequest`
#[derive(Debug)]
pub struct ReadRequest {
    pub(crate) message: ReadMessage,
}

/// `p4.v1.SetForwardingPipelineConfigRequest`
#[derive(Debug)]
pub struct PipelineRequest {
    pub(crate) message: SetForwardingPipelineConfigRequest,
}

impl WriteRequest {
    /// Refuses what is none.
    pub fn decode(bytes: &[u8]) -> Result<WriteRequest, Error> {
        Ok(WriteRequest { message: decoded("p4.v1.WriteRequest", bytes)? })
    }

    /// Whom it is for and from.
    pub fn sender(&self) -> Sender<'_> {
        let WriteMessage { device_id, role, election_id, .. } = &self.message;
        Sender { device_id: *device_id, role, election_id: election_id.map(number) }
    }
}

impl ReadRequest {
    /// Refuses what is none.
    pub fn decode(bytes: &[u8]) -> Result<ReadRequest, Error> {
        Ok(ReadRequest { message: decoded("p4.v1.ReadRequest", bytes)? })
    }

    /// Whom it is for; there is no election id.
    pub fn sender(&self) -> Sender<'_> {
        let ReadMessage { device_id, role, .. } = &self.message;
        Sender { device_id: *device_id, role, election_id: None }
    }
}

impl PipelineRequest {
    /// Refuses what is none.
    pub fn decode(bytes: &[u8]) -> Result<PipelineRequest, Error> {
        let message = decoded("p4.v1.SetForwardingPipelineConfigRequest", bytes)?;
        Ok(PipelineRequest { message })
    }

    /// Whom it is for and from.
    pub fn sender(&self) -> Sender<'_> {
        let SetForwardingPipelineConfigRequest { device_id, role, election_id, .. } = &self.message;
        Sender { device_id: *device_id, role, election_id: election_id.map(number) }
    }
}

fn number(id: Uint128) -> u128 {
    u128::from(id.high) << 64 | u128::from(id.low)
}
