//! A packet on its way through a pipeline: frame bytes and the program's variables.

mod requests;

pub use requests::{CloneRequest, Requests};

use crate::program::{Program, LOAD_PADDING};

/// A reusable packet, made by [`crate::Pipeline::new_packet`]. It keeps its variables between
/// ingress and egress, so it can wait in a queue in between. Allocate once, recycle.
#[derive(Debug, Clone)]
pub struct Packet {
    /// Which pipeline's variables it holds.
    pub(crate) pipeline: u64,
    pub(crate) slots: Box<[u64]>,
    /// Where the elements of header stacks end that the packet has used: what follows is zero.
    used: usize,
    /// Room for headers that the deparser adds, the frame, and padding for whole loads.
    buffer: Vec<u8>,
    headroom: usize,
    start: usize,
    length: usize,
    /// Bytes that the parser has consumed.
    pub(crate) parsed: usize,
    /// The frame as it was received.
    pub(crate) received_bytes: usize,
    /// The received length and the headers that were added or removed since.
    pub(crate) current_bytes: usize,
    /// Where the frame, or the one that it is a copy of, was received.
    pub(crate) ingress_port: u16,
    pub(crate) requests: Requests,
}

impl Packet {
    pub(crate) fn new(pipeline: u64, program: &Program) -> Packet {
        let headroom = program.emitted_bytes_max;
        Packet {
            pipeline,
            slots: program.slots.clone().into_boxed_slice(),
            used: program.elements.start,
            buffer: vec![0; headroom + LOAD_PADDING],
            headroom,
            start: headroom,
            length: 0,
            parsed: 0,
            received_bytes: 0,
            current_bytes: 0,
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
        let needed = self.headroom + length_bytes + LOAD_PADDING;
        if self.buffer.len() < needed {
            self.buffer.resize(needed, 0);
        }
        self.start = self.headroom;
        self.length = length_bytes;
        &mut self.buffer[self.start..self.start + length_bytes]
    }

    /// Shortens the frame to its first `length_bytes`; no effect if it is shorter already.
    pub fn truncate(&mut self, length_bytes: usize) {
        self.length = self.length.min(length_bytes);
    }

    /// The frame: as received before egress, as it leaves afterwards.
    pub fn frame(&self) -> &[u8] {
        &self.buffer[self.start..self.start + self.length]
    }

    /// Becomes a copy of a packet of the same pipeline, without its requests.
    pub(crate) fn copy_from(&mut self, original: &Packet) {
        self.copy_frame_from(original);
        self.slots.copy_from_slice(&original.slots);
        self.used = original.used;
        self.parsed = original.parsed;
        self.current_bytes = original.current_bytes;
    }

    /// Becomes a packet with a copy of the frame, not parsed and without requests.
    pub(crate) fn copy_frame_from(&mut self, original: &Packet) {
        self.set_frame(original.frame());
        self.parsed = 0;
        self.received_bytes = original.received_bytes;
        self.current_bytes = original.length;
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

    /// Takes note that slots may be written to that end here, if they are elements of stacks.
    #[inline]
    pub(crate) fn touch(&mut self, end: usize) {
        self.used = self.used.max(end);
    }

    /// Headers whose slots begin here or later are not valid.
    #[inline]
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// Bytes that the parser has not consumed.
    #[inline]
    pub(crate) fn unparsed_bytes(&self) -> usize {
        self.length - self.parsed
    }

    /// What the parser has not consumed.
    #[inline]
    pub(crate) fn payload(&self) -> &[u8] {
        &self.frame()[self.parsed..]
    }

    /// What the parser has not consumed, followed by at least [`LOAD_PADDING`] bytes; and the
    /// slots.
    #[inline]
    pub(crate) fn unparsed(&mut self) -> (&[u8], &mut [u64]) {
        (&self.buffer[self.start + self.parsed..], &mut self.slots)
    }

    /// Removes the parsed bytes, to make room for `bytes_max` bytes of headers at most.
    #[inline]
    pub(crate) fn remove_parsed(&mut self, bytes_max: usize) {
        self.start += self.parsed;
        self.length -= self.parsed;
        self.parsed = 0;
        if self.start < bytes_max {
            self.make_room(bytes_max);
        }
    }

    /// Puts bytes in front of the frame and returns them, to be filled, and the slots. There must
    /// be room: [`Packet::remove_parsed`].
    #[inline]
    pub(crate) fn prepend(&mut self, length_bytes: usize) -> (&mut [u8], &[u64]) {
        self.start -= length_bytes;
        self.length += length_bytes;
        (&mut self.buffer[self.start..self.start + length_bytes], &self.slots)
    }

    /// Only a frame that leaves a pipeline more than once can use up its headroom.
    #[cold]
    fn make_room(&mut self, bytes: usize) {
        self.buffer.splice(..0, std::iter::repeat_n(0, bytes));
        self.start += bytes;
    }

    /// Makes the packet one of another pipeline; the frame stays.
    pub(crate) fn adopt(&mut self, pipeline: u64, program: &Program) {
        let mut adopted = Packet::new(pipeline, program);
        adopted.set_frame(self.frame());
        *self = adopted;
    }
}
