//! The fields that the switch itself reads and writes (simple_switch's `standard_metadata`,
//! `intrinsic_metadata` and `queueing_metadata`).

use super::place::Word;

/// Where the fields live; fields that the program does not have are absent.
#[derive(Debug)]
pub(crate) struct StandardMetadata {
    pub(crate) ingress_port: Word,
    pub(crate) egress_spec: Word,
    pub(crate) egress_port: Word,
    pub(crate) instance_type: Word,
    pub(crate) packet_length: Word,
    pub(crate) ingress_global_timestamp: Option<Word>,
    pub(crate) egress_global_timestamp: Option<Word>,
    pub(crate) enq_timestamp: Option<Word>,
    pub(crate) enq_qdepth: Option<Word>,
    pub(crate) deq_timedelta: Option<Word>,
    pub(crate) deq_qdepth: Option<Word>,
    pub(crate) qid: Option<Word>,
    pub(crate) mcast_grp: Option<Word>,
    pub(crate) egress_rid: Option<Word>,
    pub(crate) priority: Option<Word>,
    pub(crate) checksum_error: Option<Word>,
    /// Also where the program has no such field.
    pub(crate) parser_error: Word,
    pub(crate) error_codes: ErrorCodes,
}

/// What `instance_type` says about a packet's origin: BMv2's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InstanceType {
    Normal = 0,
    IngressClone = 1,
    EgressClone = 2,
    Recirculated = 4,
    Replication = 5,
    Resubmitted = 6,
}

/// The values of the errors that the parser itself raises.
#[derive(Debug)]
pub(crate) struct ErrorCodes {
    pub(crate) no_error: u64,
    pub(crate) packet_too_short: u64,
    pub(crate) parser_timeout: u64,
    pub(crate) parser_invalid_argument: u64,
    pub(crate) stack_out_of_bounds: u64,
    pub(crate) header_too_short: u64,
}
