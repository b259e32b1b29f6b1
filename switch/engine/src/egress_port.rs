//! One egress port: a bounded FIFO, a link that drains it, and the wire behind the link.

use std::collections::VecDeque;
use std::num::NonZeroU64;

use crate::link::Link;

/// Packets and bytes of one kind of event.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many.
    pub packets: u64,
    /// Their frames' bytes, without FCS.
    pub bytes: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, length_bytes: usize) {
        self.packets += 1;
        self.bytes += length_bytes as u64;
    }
}

/// A frame in the queue.
#[derive(Debug)]
pub(crate) struct Waiting<T> {
    pub(crate) item: T,
    pub(crate) length_bytes: usize,
    pub(crate) enqueued_at_ns: u64,
    /// Frames that were waiting when this one came.
    pub(crate) depth_packets: u32,
}

#[derive(Debug)]
pub(crate) struct EgressPort<T> {
    pub(crate) link: Link,
    pub(crate) number: u16,
    /// A `Dequeue` timer is set for this port; always so while frames wait.
    pub(crate) dequeue_is_scheduled: bool,
    /// Frames and bytes that found the memory full.
    pub(crate) overflowed: Tally,
    delay_ns: u64,
    memory_bytes: Option<u64>,
    queue: VecDeque<Waiting<T>>,
    queued_bytes: u64,
    wire: VecDeque<(u64, T)>,
}

impl<T> EgressPort<T> {
    /// `memory_bytes` bounds the waiting frames (the one on the link no longer waits); none: no bound.
    pub(crate) fn new(
        number: u16,
        rate_bps: Option<NonZeroU64>,
        delay_ns: u64,
        memory_bytes: Option<u64>,
    ) -> Self {
        EgressPort {
            link: Link::new(rate_bps),
            number,
            dequeue_is_scheduled: false,
            overflowed: Tally::default(),
            delay_ns,
            memory_bytes,
            queue: VecDeque::new(),
            queued_bytes: 0,
            wire: VecDeque::new(),
        }
    }

    /// What waits now.
    pub(crate) fn queued(&self) -> Tally {
        Tally { packets: self.queue.len() as u64, bytes: self.queued_bytes }
    }

    pub(crate) fn depth_packets(&self) -> u32 {
        self.queue.len() as u32
    }

    /// A frame that comes now need not wait.
    pub(crate) fn is_idle(&self, now_ns: u64) -> bool {
        self.queue.is_empty() && self.link.is_free(now_ns)
    }

    /// Appends a frame, or hands it back when memory is full.
    pub(crate) fn push(&mut self, item: T, length_bytes: usize, now_ns: u64) -> Result<(), T> {
        let needed_bytes = self.queued_bytes + length_bytes as u64;
        if self.memory_bytes.is_some_and(|memory_bytes| needed_bytes > memory_bytes) {
            self.overflowed.add(length_bytes);
            return Err(item);
        }
        self.queued_bytes = needed_bytes;
        let depth_packets = self.depth_packets();
        self.queue.push_back(Waiting { item, length_bytes, enqueued_at_ns: now_ns, depth_packets });
        Ok(())
    }

    /// The frame that came last.
    pub(crate) fn last(&self) -> Option<&Waiting<T>> {
        self.queue.back()
    }

    pub(crate) fn pop(&mut self) -> Option<Waiting<T>> {
        let waiting = self.queue.pop_front()?;
        self.queued_bytes -= waiting.length_bytes as u64;
        Some(waiting)
    }

    /// Puts a frame on the link; returns when it arrives at the far end of the wire.
    pub(crate) fn transmit(&mut self, now_ns: u64, length_bytes: usize) -> u64 {
        self.link.transmit(now_ns, length_bytes).saturating_add(self.delay_ns)
    }

    /// Holds a frame until it arrives. True if no other was under way.
    pub(crate) fn push_wire(&mut self, arrival_ns: u64, item: T) -> bool {
        let was_empty = self.wire.is_empty();
        self.wire.push_back((arrival_ns, item));
        was_empty
    }

    /// Takes the first frame that has arrived by `now_ns`.
    pub(crate) fn pop_wire(&mut self, now_ns: u64) -> Option<T> {
        if self.next_arrival_ns()? > now_ns {
            return None;
        }
        self.wire.pop_front().map(|(_, item)| item)
    }

    pub(crate) fn next_arrival_ns(&self) -> Option<u64> {
        self.wire.front().map(|&(arrival_ns, _)| arrival_ns)
    }

    /// Frames on the link or the wire behind it.
    pub(crate) fn on_wire_packets(&self) -> u64 {
        self.wire.len() as u64
    }
}
