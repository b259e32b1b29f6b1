//! One egress port: queues of bounded memory, a link that drains them by strict priority or by
//! weights, and the wire behind the link.

use std::collections::VecDeque;

use super::egress_queue::{EgressQueue, First, Waiting};
use super::link::Link;
use super::round_robin::RoundRobin;
use crate::config::{PortConfig, QueueLimit};
use crate::statistics::Tally;
use crate::time::SwitchTime;

#[derive(Debug)]
pub(crate) struct EgressPort<T> {
    pub(crate) link: Link,
    pub(crate) number: u16,
    /// A `Dequeue` timer is set for this port; always so while frames are ready and there is room.
    pub(crate) dequeue_is_scheduled: bool,
    /// Frames and bytes that found the memory or their queue full.
    pub(crate) overflowed: Tally,
    /// Frames that what is behind the wire still takes.
    pub(crate) room_packets: usize,
    delay_ns: u64,
    memory_bytes: Option<u64>,
    /// By priority, the lowest first.
    queues: Box<[EgressQueue<T>]>,
    /// How queues with weights take turns; none: the highest priority goes first.
    round_robin: Option<Box<RoundRobin>>,
    /// Bit n is set while queue n has a frame whose turn has come.
    ready: u8,
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
            queues: (0..config.queues).map(|_| EgressQueue::new()).collect(),
            round_robin: (!config.weights.is_empty())
                .then(|| Box::new(RoundRobin::new(&config.weights))),
            ready: 0,
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

    pub(crate) fn queue_count(&self) -> u8 {
        self.queues.len() as u8
    }

    pub(crate) fn depth_packets(&self, queue: u8) -> u32 {
        self.queues[usize::from(queue)].len() as u32
    }

    /// No frame's turn has come.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.ready == 0
    }

    /// A frame that comes to a queue now need not wait.
    pub(crate) fn is_idle(&self, queue: u8, now: SwitchTime) -> bool {
        self.is_at_rest() && self.can_transmit(now) && self.queues[usize::from(queue)].is_open(now)
    }

    /// A frame may go on the link now.
    pub(crate) fn can_transmit(&self, now: SwitchTime) -> bool {
        self.link.is_free(now) && self.room_packets > 0
    }

    /// Limits one queue, or all, for frames that come from now on.
    pub(crate) fn limit(&mut self, queue: Option<u8>, limit: QueueLimit) {
        match queue {
            Some(queue) => self.queues[usize::from(queue)].limit(limit),
            None => self.queues.iter_mut().for_each(|queue| queue.limit(limit)),
        }
    }

    /// Lets a frame that comes now pass its queue, as the port is idle.
    pub(crate) fn pass(&mut self, queue: u8, length_bytes: usize, now: SwitchTime) {
        self.queues[usize::from(queue)].take_turn(now);
        if let Some(round_robin) = &mut self.round_robin {
            round_robin.next(1 << queue, |_| length_bytes);
        }
    }

    /// Appends a frame to its queue, or hands it back when memory or queue are full. Must be
    /// followed by [`EgressPort::settle`].
    pub(crate) fn push(&mut self, mut waiting: Waiting<T>, now: SwitchTime) -> Result<(), T> {
        let length_bytes = waiting.length_bytes;
        let needed_bytes = self.queued.bytes + length_bytes as u64;
        let queue = &mut self.queues[usize::from(waiting.queue)];
        let memory_is_full = self.memory_bytes.is_some_and(|memory| needed_bytes > memory);
        if memory_is_full || queue.is_full() {
            self.overflowed.add(length_bytes);
            return Err(waiting.item);
        }
        waiting.depth_packets = queue.len() as u32;
        waiting.turn = queue.take_turn(now);
        queue.push(waiting);
        self.queued.add(length_bytes);
        Ok(())
    }

    /// The frame of a queue that came last.
    pub(crate) fn last(&self, queue: u8) -> Option<&Waiting<T>> {
        self.queues[usize::from(queue)].last()
    }

    /// Takes the first frame of one of the queues where its turn has come: of the highest priority,
    /// or by weights. Must be followed by [`EgressPort::settle`].
    pub(crate) fn pop(&mut self) -> Option<Waiting<T>> {
        let queues = &mut self.queues;
        let queue = match &mut self.round_robin {
            None => self.ready.checked_ilog2()? as usize,
            Some(round_robin) => {
                round_robin.next(self.ready, |queue| queues[queue].first_bytes())?
            }
        };
        let waiting = queues[queue].pop()?;
        self.queued.subtract(waiting.length_bytes);
        Some(waiting)
    }

    /// Notes whether the turn of a queue's first frame has come. Returns when it does, if a timer
    /// must be set for it.
    pub(crate) fn settle(&mut self, queue: u8, now: SwitchTime) -> Option<SwitchTime> {
        let bit = 1 << queue;
        let queue = &mut self.queues[usize::from(queue)];
        let first = queue.first(now);
        match first {
            First::Ready => self.ready |= bit,
            First::Absent | First::Later(_) => self.ready &= !bit,
        }
        match first {
            First::Later(turn) if queue.timer_at.is_none_or(|at| turn < at) => {
                queue.timer_at = Some(turn);
                Some(turn)
            }
            _ => None,
        }
    }

    /// The timer of a queue's first frame has run.
    pub(crate) fn take_timer(&mut self, queue: u8) {
        self.queues[usize::from(queue)].timer_at = None;
    }

    /// Takes all frames, be it their turn or not.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = Waiting<T>> + '_ {
        (self.ready, self.queued) = (0, Tally::default());
        if let Some(round_robin) = &mut self.round_robin {
            round_robin.restart();
        }
        self.queues.iter_mut().flat_map(EgressQueue::drain)
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
