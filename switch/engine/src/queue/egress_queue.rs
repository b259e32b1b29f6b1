//! One queue of an egress port: frames in their order, with a depth and a rate in frames.

use std::collections::VecDeque;

use super::pacer::Pacer;
use crate::config::QueueLimit;
use crate::time::SwitchTime;

/// A frame in a queue.
#[derive(Debug)]
pub(crate) struct Waiting<T> {
    pub(crate) item: T,
    pub(crate) length_bytes: usize,
    pub(crate) enqueued_at: SwitchTime,
    /// Before this instant the queue's rate keeps it.
    pub(crate) turn: SwitchTime,
    /// Frames that were waiting in the queue when this one came.
    pub(crate) depth_packets: u32,
    /// Which of the port's queues.
    pub(crate) queue: u8,
}

/// Where the first frame of a queue is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum First {
    /// There is none.
    Absent,
    /// Its turn has come.
    Ready,
    /// Its turn comes then.
    Later(SwitchTime),
}

#[derive(Debug)]
pub(super) struct EgressQueue<T> {
    frames: VecDeque<Waiting<T>>,
    most_packets: u64,
    pacer: Pacer,
    /// The next instant for which a timer is set: the turn of its first frame, or one before that.
    pub(super) timer_at: Option<SwitchTime>,
}

impl<T> EgressQueue<T> {
    /// A queue of any depth and rate.
    pub(super) fn new() -> Self {
        EgressQueue {
            frames: VecDeque::new(),
            most_packets: u64::MAX,
            pacer: Pacer::default(),
            timer_at: None,
        }
    }

    /// Frames that come from now on find it so.
    pub(super) fn limit(&mut self, limit: QueueLimit) {
        match limit {
            QueueLimit::Depth { packets } => self.most_packets = packets,
            QueueLimit::Rate { packets_per_second } => self.pacer.set_rate(packets_per_second),
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.frames.len() as u64 >= self.most_packets
    }

    /// Neither depth nor rate keep a frame that comes now.
    #[inline]
    pub(super) fn is_open(&self, now: SwitchTime) -> bool {
        !self.is_full() && self.pacer.turn(now) <= now
    }

    /// The turn of a frame that comes now.
    #[inline]
    pub(super) fn take_turn(&mut self, now: SwitchTime) -> SwitchTime {
        self.pacer.take_turn(now)
    }

    pub(super) fn push(&mut self, waiting: Waiting<T>) {
        self.frames.push_back(waiting);
    }

    pub(super) fn pop(&mut self) -> Option<Waiting<T>> {
        self.frames.pop_front()
    }

    /// Takes all frames, and their turns back.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Waiting<T>> + '_ {
        self.pacer.restart();
        self.frames.drain(..)
    }

    #[inline]
    pub(super) fn first(&self, now: SwitchTime) -> First {
        match self.frames.front() {
            None => First::Absent,
            Some(waiting) if waiting.turn <= now => First::Ready,
            Some(waiting) => First::Later(waiting.turn),
        }
    }

    /// The length of its first frame; 0 without one.
    pub(super) fn first_bytes(&self) -> usize {
        self.frames.front().map_or(0, |waiting| waiting.length_bytes)
    }

    /// The frame that came last.
    pub(super) fn last(&self) -> Option<&Waiting<T>> {
        self.frames.back()
    }
}
