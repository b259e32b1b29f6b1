//! What a program asks the switch to do with a packet besides sending it.

/// A field list of the program, by its place among them.
pub(crate) type FieldList = u16;

/// BMv2 keeps as many bits of a session's number.
const SESSION_MASK: u64 = 0x7fff;

/// The requests that a packet's run through a pipeline has left. Of every kind, the last one
/// counts; of lengths, the shortest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Requests {
    pub(crate) clone: Option<CloneRequest>,
    /// The digest (learn list) to send, by its place among them.
    pub(crate) digest: Option<u16>,
    pub(crate) resubmit: Option<FieldList>,
    pub(crate) recirculate: Option<FieldList>,
    pub(crate) truncate: Option<usize>,
}

/// Copies to the replicas of a clone session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CloneRequest {
    /// The session's number.
    pub session: u16,
    /// The metadata that the copies keep.
    pub(crate) field_list: FieldList,
}

impl Requests {
    /// Notes a clone; BMv2 cuts off the session's number.
    #[inline]
    pub(crate) fn request_clone(&mut self, session: u64, field_list: FieldList) {
        self.clone = Some(CloneRequest { session: (session & SESSION_MASK) as u16, field_list });
    }

    /// Notes the most bytes that may leave.
    #[inline]
    pub(crate) fn request_truncation(&mut self, length_bytes: u64) {
        let length_bytes = usize::try_from(length_bytes).unwrap_or(usize::MAX);
        self.truncate = Some(self.truncate.map_or(length_bytes, |least| least.min(length_bytes)));
    }

    /// What a calculation sees of a payload. As in BMv2, after a truncation to N bytes these are its
    /// first N bytes, though less of it leaves.
    #[inline]
    pub(crate) fn cut<'p>(&self, payload: &'p [u8]) -> &'p [u8] {
        &payload[..self.truncate.unwrap_or(usize::MAX).min(payload.len())]
    }
}
