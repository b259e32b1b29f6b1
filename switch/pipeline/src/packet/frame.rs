//! The bytes of a packet's frame, and how far the parser has come.

use crate::program::LOAD_PADDING;

/// A frame in a buffer with room in front of it.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
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

impl Frame {
    /// An empty frame.
    pub(crate) fn new(headroom: usize) -> Frame {
        Frame {
            buffer: vec![0; headroom + LOAD_PADDING],
            headroom,
            start: headroom,
            length: 0,
            parsed: 0,
            received_bytes: 0,
            current_bytes: 0,
        }
    }

    /// Makes room for a frame of `length_bytes` and returns it, to be filled in place.
    pub(crate) fn receive_buffer(&mut self, length_bytes: usize) -> &mut [u8] {
        let needed = self.headroom + length_bytes + LOAD_PADDING;
        if self.buffer.len() < needed {
            self.buffer.resize(needed, 0);
        }
        self.start = self.headroom;
        self.length = length_bytes;
        &mut self.buffer[self.start..self.start + length_bytes]
    }

    /// Shortens the frame to its first `length_bytes`; no effect if it is shorter already.
    pub(crate) fn truncate(&mut self, length_bytes: usize) {
        self.length = self.length.min(length_bytes);
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.start + self.length]
    }

    #[inline]
    pub(crate) fn length_bytes(&self) -> usize {
        self.length
    }

    /// Bytes that the parser has not consumed.
    #[inline]
    pub(crate) fn unparsed_bytes(&self) -> usize {
        self.length - self.parsed
    }

    /// What the parser has not consumed.
    #[inline]
    pub(crate) fn payload(&self) -> &[u8] {
        &self.bytes()[self.parsed..]
    }

    /// What the parser has not consumed, followed by at least [`LOAD_PADDING`] bytes.
    #[inline]
    pub(crate) fn unparsed(&self) -> &[u8] {
        &self.buffer[self.start + self.parsed..]
    }

    /// A packet of this frame for machine code.
    #[inline]
    pub(crate) fn for_native<'p>(
        &'p mut self,
        slots: &'p mut [u64],
        used: &'p mut usize,
        arrays: &'p mut [codegen::Array],
    ) -> codegen::Packet<'p> {
        codegen::Packet {
            slots,
            frame: &mut self.buffer[self.start..],
            length: self.length,
            position: &mut self.parsed,
            touched: used,
            arrays,
        }
    }

    /// Removes the parsed bytes, to make room for `bytes_max` bytes of headers at most. Returns
    /// how many they were.
    #[inline]
    pub(crate) fn remove_parsed(&mut self, bytes_max: usize) -> usize {
        let parsed = self.parsed;
        self.cut_front();
        if self.start < bytes_max {
            self.make_room(bytes_max);
        }
        parsed
    }

    /// Removes the parsed bytes.
    #[inline]
    pub(crate) fn cut_front(&mut self) {
        let parsed = std::mem::take(&mut self.parsed);
        self.start += parsed;
        self.length -= parsed;
    }

    /// Puts bytes in front of the frame and returns it, for them to be filled, with
    /// [`LOAD_PADDING`] after it. There must be room: [`Frame::remove_parsed`].
    #[inline]
    pub(crate) fn prepend(&mut self, length_bytes: usize) -> &mut [u8] {
        self.start -= length_bytes;
        self.length += length_bytes;
        &mut self.buffer[self.start..]
    }

    /// Only a frame that leaves a pipeline more than once can use up its headroom.
    #[cold]
    fn make_room(&mut self, bytes: usize) {
        self.buffer.splice(..0, std::iter::repeat_n(0, bytes));
        self.start += bytes;
    }
}
