//! One egress port: queues of bounded memory, a link that drains them by strict priority, and the
//! wire behind the link.

use std::collections::VecDeque;

use super::link::Link;
use crate::config::PortConfig;
use crate::statistics::Tally;
use crate::time::SwitchTime;

/// A frame in a queue.
#[derive(Debug)]
pub(crate) struct Waiting<T> {
    pub(crate) item: T,
    pub(crate) length_bytes: usize,
    pub(crate) enqueued_at: SwitchTime,
    /// Frames that were waiting in the queue when this one came.
    pub(crate) depth_packets: u32,
    /// Which of the port's queues.
    pub(crate) queue: u8,
}

#[derive(Debug)]
pub(crate) struct EgressPort<T> {
    pub(crate) link: Link,
    pub(crate) number: u16,
    /// A `Dequeue` timer is set for this port; always so while frames wait and there is room.
    pub(crate) dequeue_is_scheduled: bool,
    /// Frames and bytes that found the memory full.
    pub(crate) overflowed: Tally,
    /// Frames that what is behind the wire still takes.
    pub(crate) room_packets: usize,
    delay_ns: u64,
    memory_bytes: Option<u64>,
    /// By priority, the lowest first.
    queues: Box<[VecDeque<Waiting<T>>]>,
    /// Bit n is set while queue n has frames.
    occupied: u8,
    queued: Tally,
    wire: VecDeque<(SwitchTime, T)>,
}

impl<T> EgressPort<T> {
    /// The memory bounds the waiting frames (the one on the link no longer waits).
    pub(crate) fn new(config: &PortConfig) -> Self {
        EgressPort {
            link: Link::new(config.rate_bps),
            number: config.port,
            dequeue_is_scheduled: false,
            overflowed: Tally::default(),
            room_packets: usize::MAX,
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
    pub(crate) fn is_idle(&self, now: SwitchTime) -> bool {
        self.is_empty() && self.can_transmit(now)
    }

    /// A frame may go on the link now.
    pub(crate) fn can_transmit(&self, now: SwitchTime) -> bool {
        self.link.is_free(now) && self.room_packets > 0
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
    pub(crate) fn transmit(&mut self, now: SwitchTime, length_bytes: usize) -> SwitchTime {
        self.room_packets -= 1;
        self.link.transmit(now, length_bytes).after_ns(self.delay_ns)
    }

    /// Holds a frame until it arrives. True if no other was under way.
    pub(crate) fn push_wire(&mut self, arrival: SwitchTime, item: T) -> bool {
        let was_empty = self.wire.is_empty();
        self.wire.push_back((arrival, item));
        was_empty
    }

    /// Takes the first frame that has arrived by `now`.
    pub(crate) fn pop_wire(&mut self, now: SwitchTime) -> Option<T> {
        if self.next_arrival()? > now {
            return None;
        }
        self.wire.pop_front().map(|(_, item)| item)
    }

    pub(crate) fn next_arrival(&self) -> Option<SwitchTime> {
        self.wire.front().map(|&(arrival, _)| arrival)
    }

    /// Frames on the link or the wire behind it.
    pub(crate) fn on_wire_packets(&self) -> u64 {
        self.wire.len() as u64
    }
}
