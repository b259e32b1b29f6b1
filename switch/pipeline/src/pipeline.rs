//! A loaded program with its state.

use crate::{Control, LoadError, Packet};

/// What ingress decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The packet ends here.
    Drop,
    /// The packet goes to this egress port.
    Forward(u16),
}

/// What egress decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EgressVerdict {
    /// The packet ends here.
    Drop,
    /// [`Packet::frame`] leaves by the egress port.
    Emit,
}

/// What the traffic manager tells egress about the packet's stay in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueueInfo {
    /// When the packet entered the queue.
    pub enqueued_at_us: u64,
    /// Packets in the queue when it entered, without it.
    pub enqueue_depth_packets: u32,
    /// Packets in the queue when it left, without it.
    pub dequeue_depth_packets: u32,
}

/// A program and its state: tables, registers and counters.
#[derive(Debug)]
pub struct Pipeline {}

impl Pipeline {
    /// Compiles a program from BMv2's JSON. Its tables hold the program's constant entries, its
    /// registers and counters are zero.
    pub fn load(_json: &[u8]) -> Result<Pipeline, LoadError> {
        todo!()
    }

    /// A packet for this pipeline.
    pub fn new_packet(&self) -> Packet {
        todo!()
    }

    /// Runs parser, checksum verification and ingress on [`Packet::frame`].
    pub fn ingress(&mut self, _packet: &mut Packet, _ingress_port: u16, _now_us: u64) -> Verdict {
        todo!()
    }

    /// Runs egress, checksum update and deparser on a packet that ingress forwarded.
    pub fn egress(
        &mut self,
        _packet: &mut Packet,
        _egress_port: u16,
        _now_us: u64,
        _queue: QueueInfo,
    ) -> EgressVerdict {
        todo!()
    }

    /// The control plane's view.
    pub fn control(&mut self) -> Control<'_> {
        Control { _pipeline: self }
    }
}
