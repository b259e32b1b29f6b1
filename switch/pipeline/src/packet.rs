//! A packet on its way through a pipeline: frame bytes and the program's variables.

/// A reusable packet, made by [`crate::Pipeline::new_packet`]. It keeps its variables between
/// ingress and egress, so it can wait in a queue in between. Allocate once, recycle.
#[derive(Debug, Clone)]
pub struct Packet {
    buffer: Vec<u8>,
}

impl Packet {
    /// Replaces the frame (Ethernet, without FCS) by a copy of `frame`.
    pub fn set_frame(&mut self, frame: &[u8]) {
        self.receive_buffer(frame.len()).copy_from_slice(frame);
    }

    /// Makes room for a frame of `length_bytes` and returns it, to be filled in place.
    /// The content is unspecified. [`Packet::truncate`] shortens it to what was received.
    pub fn receive_buffer(&mut self, length_bytes: usize) -> &mut [u8] {
        self.buffer.resize(length_bytes, 0);
        &mut self.buffer
    }

    /// Shortens the frame to its first `length_bytes`; no effect if it is shorter already.
    pub fn truncate(&mut self, length_bytes: usize) {
        self.buffer.truncate(length_bytes);
    }

    /// The frame: as received before egress, as it leaves afterwards.
    pub fn frame(&self) -> &[u8] {
        &self.buffer
    }
}
