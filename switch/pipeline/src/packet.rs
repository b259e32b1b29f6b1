//! A packet on its way through a pipeline: frame bytes and the program's variables.

use crate::program::{Program, LOAD_PADDING};

/// A reusable packet, made by [`crate::Pipeline::new_packet`]. It keeps its variables between
/// ingress and egress, so it can wait in a queue in between. Allocate once, recycle.
#[derive(Debug, Clone)]
pub struct Packet {
    /// Which pipeline's variables it holds.
    pub(crate) pipeline: u64,
    pub(crate) slots: Box<[u64]>,
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
}

impl Packet {
    pub(crate) fn new(pipeline: u64, program: &Program) -> Packet {
        let headroom = program.emitted_bytes_max;
        Packet {
            pipeline,
            slots: program.slots.clone().into_boxed_slice(),
            buffer: vec![0; headroom + LOAD_PADDING],
            headroom,
            start: headroom,
            length: 0,
            parsed: 0,
            received_bytes: 0,
            current_bytes: 0,
        }
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

    /// Bytes that the parser has not consumed.
    #[inline]
    pub(crate) fn unparsed_bytes(&self) -> usize {
        self.length - self.parsed
    }

    /// What the parser has not consumed, followed by at least [`LOAD_PADDING`] bytes; and the
    /// slots.
    #[inline]
    pub(crate) fn unparsed(&mut self) -> (&[u8], &mut [u64]) {
        (&self.buffer[self.start + self.parsed..], &mut self.slots)
    }

    /// Replaces the parsed bytes by `length_bytes` bytes of headers, and returns these and the
    /// slots.
    #[inline]
    pub(crate) fn replace_headers(&mut self, length_bytes: usize) -> (&mut [u8], &[u64]) {
        if self.start + self.parsed < length_bytes {
            self.make_room(length_bytes);
        }
        let payload = self.start + self.parsed;
        self.length = self.length - self.parsed + length_bytes;
        self.start = payload - length_bytes;
        self.parsed = 0;
        (&mut self.buffer[self.start..payload], &self.slots)
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
