//! A packet on its way through a pipeline: frame bytes and the program's variables.

mod frame;
mod requests;

pub(crate) use frame::Frame;
pub use requests::{CloneRequest, Requests};

use crate::program::Program;

/// A reusable packet, made by [`crate::Pipeline::new_packet`]. It keeps its variables between
/// ingress and egress, so it can wait in a queue in between. Allocate once, recycle.
#[derive(Debug, Clone)]
pub struct Packet {
    /// Which pipeline's variables it holds.
    pub(crate) pipeline: u64,
    pub(crate) slots: Box<[u64]>,
    /// Where the elements of header stacks end that the packet has used: what follows is zero, and
    /// headers whose slots begin there or later are not valid.
    pub(crate) used: usize,
    pub(crate) frame: Frame,
    /// Where the frame, or the one that it is a copy of, was received.
    pub(crate) ingress_port: u16,
    pub(crate) requests: Requests,
}

impl Packet {
    pub(crate) fn new(pipeline: u64, program: &Program) -> Packet {
        Packet {
            pipeline,
            slots: program.slots.clone().into_boxed_slice(),
            used: program.elements.start,
            frame: Frame::new(program.emitted_bytes_max),
            ingress_port: 0,
            requests: Requests::default(),
        }
    }

    /// The copies that ingress or egress has asked for; the request is taken off the packet.
    pub fn take_clone_request(&mut self) -> Option<CloneRequest> {
        self.requests.clone.take()
    }

    /// Lets at most `length_bytes` of the frame leave, like the program's own `truncate`.
    pub fn limit_length(&mut self, length_bytes: usize) {
        self.requests.request_truncation(length_bytes as u64);
    }

    /// Replaces the frame (Ethernet, without FCS) by a copy of `frame`.
    pub fn set_frame(&mut self, frame: &[u8]) {
        self.receive_buffer(frame.len()).copy_from_slice(frame);
    }

    /// Makes room for a frame of `length_bytes` and returns it, to be filled in place.
    /// The content is unspecified. [`Packet::truncate`] shortens it to what was received.
    pub fn receive_buffer(&mut self, length_bytes: usize) -> &mut [u8] {
        self.frame.receive_buffer(length_bytes)
    }

    /// Shortens the frame to its first `length_bytes`; no effect if it is shorter already.
    pub fn truncate(&mut self, length_bytes: usize) {
        self.frame.truncate(length_bytes);
    }

    /// The frame: as received before egress, as it leaves afterwards.
    pub fn frame(&self) -> &[u8] {
        self.frame.bytes()
    }

    /// Becomes a copy of a packet of the same pipeline, without its requests.
    pub(crate) fn copy_from(&mut self, original: &Packet) {
        self.copy_frame_from(original);
        self.slots.copy_from_slice(&original.slots);
        self.used = original.used;
        self.frame.parsed = original.frame.parsed;
        self.frame.current_bytes = original.frame.current_bytes;
    }

    /// Becomes a packet with a copy of the frame, not parsed and without requests.
    pub(crate) fn copy_frame_from(&mut self, original: &Packet) {
        self.set_frame(original.frame());
        self.frame.parsed = 0;
        self.frame.received_bytes = original.frame.received_bytes;
        self.frame.current_bytes = original.frame.length_bytes();
        self.ingress_port = original.ingress_port;
        self.requests = Requests::default();
    }

    /// Zeroes the program's variables.
    #[inline]
    pub(crate) fn clear_variables(&mut self, program: &Program) {
        let (variables, elements) = (&program.variables, &program.elements);
        self.slots[variables.start..self.used].fill(0);
        self.slots[elements.end..variables.end].fill(0);
        self.used = elements.start;
    }

    /// Makes the packet one of another pipeline; the frame stays.
    pub(crate) fn adopt(&mut self, pipeline: u64, program: &Program) {
        let mut adopted = Packet::new(pipeline, program);
        adopted.set_frame(self.frame());
        *self = adopted;
    }
}
