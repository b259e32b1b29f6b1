//! One egress port: queues of bounded memory, a link that drains them by strict priority, and the
//! wire behind the link.

use std::collections::VecDeque;

use super::link::Link;
use crate::config::PortConfig;
use crate::statistics::Tally;

/// A frame in a queue.
#[derive(Debug)]
pub(crate) struct Waiting<T> {
    pub(crate) item: T,
    pub(crate) length_bytes: usize,
    pub(crate) enqueued_at_ns: u64,
    /// Frames that were waiting in the queue when this one came.
    pub(crate) depth_packets: u32,
    /// Which of the port's queues.
    pub(crate) queue: u8,
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
    /// By priority, the lowest first.
    queues: Box<[VecDeque<Waiting<T>>]>,
    /// Bit n is set while queue n has frames.
    occupied: u8,
    queued: Tally,
    wire: VecDeque<(u64, T)>,
}

impl<T> EgressPort<T> {
    /// The memory bounds the waiting frames (the one on the link no longer waits).
    pub(crate) fn new(config: &PortConfig) -> Self {
        EgressPort {
            link: Link::new(config.rate_bps),
            number: config.port,
            dequeue_is_scheduled: false,
            overflowed: Tally::default(),
            delay_ns: config.delay_ns,
            memory_bytes: config.memory_bytes,
            queues: (0..config.queues).map(|_| VecDeque::new()).collect(),
            occupied: 0,
            queued: Tally::default(),
            wire: VecDeque::new(),
        }
    }

    /// What waits now.
    pub(crate) fn queued(&self) -> Tally {
        self.queued
    }

    pub(crate) fn has_queue(&self, queue: u64) -> bool {
        queue < self.queues.len() as u64
    }

    pub(crate) fn depth_packets(&self, queue: u8) -> u32 {
        self.queues[usize::from(queue)].len() as u32
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.occupied == 0
    }

    /// A frame that comes now need not wait.
    pub(crate) fn is_idle(&self, now_ns: u64) -> bool {
        self.is_empty() && self.link.is_free(now_ns)
    }

    /// Appends a frame to its queue, or hands it back when memory is full.
    pub(crate) fn push(&mut self, mut waiting: Waiting<T>) -> Result<(), T> {
        let length_bytes = waiting.length_bytes;
        let needed_bytes = self.queued.bytes + length_bytes as u64;
        if self.memory_bytes.is_some_and(|memory_bytes| needed_bytes > memory_bytes) {
            self.overflowed.add(length_bytes);
            return Err(waiting.item);
        }
        waiting.depth_packets = self.depth_packets(waiting.queue);
        self.queued.add(length_bytes);
        self.occupied |= 1 << waiting.queue;
        self.queues[usize::from(waiting.queue)].push_back(waiting);
        Ok(())
    }

    /// The frame of a queue that came last.
    pub(crate) fn last(&self, queue: u8) -> Option<&Waiting<T>> {
        self.queues[usize::from(queue)].back()
    }

    /// Takes the first frame of the highest priority.
    pub(crate) fn pop(&mut self) -> Option<Waiting<T>> {
        let queue = self.occupied.checked_ilog2()?;
        let frames = &mut self.queues[queue as usize];
        let waiting = frames.pop_front()?;
        if frames.is_empty() {
            self.occupied &= !(1 << queue);
        }
        self.queued.subtract(waiting.length_bytes);
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
