//! The queues between ingress and egress, in virtual time.
//!
//! ```text
//! enqueue -> queue of the priority (depth, memory bound) -> its turn by the queue's rate
//!         -> link is free: egress pipeline -> serialization -> delay -> leave
//! ```
//!
//! Pure: time is what the caller says, and the same calls give the same events. Events of one
//! instant happen in the order turn before dequeue before leave, then by the ports' places.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::mem::discriminant;

use pipeline::QueueInfo;

use super::egress_port::EgressPort;
use super::egress_queue::Waiting;
use crate::config::{PortConfig, QueueLimit, Queues, PORT_LIMIT};
use crate::statistics::Tally;
use crate::time::SwitchTime;

const NO_PORT: u16 = u16::MAX;

/// What egress makes of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dequeued {
    /// It goes on the link, with this length.
    Transmit {
        /// Of the frame as it leaves.
        length_bytes: usize,
    },
    /// It goes back into the switch.
    Recirculate,
    /// It ends here.
    Drop,
}

/// Why a frame was not queued.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NotQueued<T> {
    /// The switch has no such port.
    NoSuchPort(T),
    /// The port has no queue of that priority, but so many.
    NoSuchQueue(T, u8),
}

/// What happens to frames at the traffic manager's events.
pub(crate) trait Egress<T> {
    /// The link would take the frame.
    fn dequeue(&mut self, item: &mut T, port: u16, at: SwitchTime, queue: QueueInfo) -> Dequeued;
    /// The frame waits for the link, behind so many others.
    fn enqueued(&mut self, _item: &T, _port: u16, _at: SwitchTime, _depth_packets: u32) {}
    /// The port's memory or its queue is full; the frame will be discarded.
    fn overflowed(&mut self, _item: &T, _at: SwitchTime) {}
    /// The frame has arrived at the far end of the wire.
    fn leave(&mut self, item: T, port: u16, at: SwitchTime);
    /// The frame goes back into the switch.
    fn recirculate(&mut self, item: T, at: SwitchTime);
    /// The frame was dropped by [`Egress::dequeue`] or by a full memory or queue.
    fn discard(&mut self, item: T);
    /// Events after this instant must wait, as others come first, or are left to a later turn.
    fn limit(&self) -> SwitchTime;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// Of the first frame of that queue.
    Turn(u8),
    Dequeue,
    Leave,
}

/// The egress ports and the timers that drive them. `T` is a packet with all it carries.
#[derive(Debug)]
pub(crate) struct TrafficManager<T> {
    ports: Vec<EgressPort<T>>,
    index_of: Box<[u16; PORT_LIMIT as usize]>,
    /// Places of ports that are gone, for others.
    vacant: Vec<u16>,
    /// How the queues of all ports are limited, the last word last.
    limits: Vec<QueueLimit>,
    timers: BinaryHeap<Reverse<(SwitchTime, Event, u16)>>,
}

impl<T> TrafficManager<T> {
    /// One egress port per configuration; their numbers are distinct and below [`PORT_LIMIT`].
    pub(crate) fn new(configs: &[PortConfig]) -> Self {
        let mut manager = TrafficManager {
            ports: Vec::with_capacity(configs.len()),
            index_of: Box::new([NO_PORT; PORT_LIMIT as usize]),
            vacant: Vec::new(),
            limits: Vec::new(),
            timers: BinaryHeap::new(),
        };
        configs.iter().for_each(|config| manager.add(config));
        manager
    }

    /// Adds a port; its number is free and below [`PORT_LIMIT`].
    pub(crate) fn add(&mut self, config: &PortConfig) {
        let mut port = EgressPort::new(config);
        self.limits.iter().for_each(|&limit| port.limit(None, limit));
        let index = self.vacant.pop().unwrap_or(self.ports.len() as u16);
        self.index_of[usize::from(config.port)] = index;
        match self.ports.get_mut(usize::from(index)) {
            Some(place) => *place = port,
            None => self.ports.push(port),
        }
    }

    /// Removes a port, if there is one: empties its queues, and lets all on its wire leave. Returns
    /// what was discarded.
    pub(crate) fn remove(
        &mut self,
        number: u16,
        now: SwitchTime,
        egress: &mut impl Egress<T>,
    ) -> Tally {
        let Some(index) = self.index(number) else {
            return Tally::default();
        };
        let port = &mut self.ports[index];
        while let Some(item) = port.pop_wire(SwitchTime::NEVER) {
            egress.leave(item, number, now);
        }
        let flushed = discard_queued(port, egress);
        self.timers.retain(|Reverse((_, _, other))| usize::from(*other) != index);
        self.index_of[usize::from(number)] = NO_PORT;
        self.vacant.push(index as u16);
        flushed
    }

    pub(crate) fn port(&self, number: u16) -> Option<&EgressPort<T>> {
        self.index(number).map(|index| &self.ports[index])
    }

    /// When the next event is due.
    pub(crate) fn next_event(&self) -> Option<SwitchTime> {
        self.timers.peek().map(|Reverse((at, ..))| *at)
    }

    /// Queues a frame for `port` at `now`; events up to then must have been run.
    pub(crate) fn enqueue(
        &mut self,
        item: T,
        port: u16,
        priority: u64,
        length_bytes: usize,
        now: SwitchTime,
        egress: &mut impl Egress<T>,
    ) -> Result<(), NotQueued<T>> {
        let Some(index) = self.index(port) else {
            return Err(NotQueued::NoSuchPort(item));
        };
        let port = &mut self.ports[index];
        if !port.has_queue(priority) {
            return Err(NotQueued::NoSuchQueue(item, port.queue_count()));
        }
        let queue = priority as u8;
        let (enqueued_at, turn) = (now, now);
        let waiting = Waiting { item, length_bytes, enqueued_at, turn, depth_packets: 0, queue };
        if port.is_idle(queue, now) {
            port.pass(queue, length_bytes, now);
            egress.enqueued(&waiting.item, port.number, now, 0);
            self.transmit(index, waiting, now, egress);
        } else if let Err(item) = port.push(waiting, now) {
            egress.overflowed(&item, now);
            egress.discard(item);
        } else {
            if let Some(waiting) = port.last(queue) {
                egress.enqueued(&waiting.item, port.number, now, waiting.depth_packets);
            }
            self.settle(index, queue, now);
            self.schedule_dequeue(index, now);
        }
        Ok(())
    }

    /// Runs all events up to and including `until`, as far as [`Egress::limit`] lets them.
    #[inline]
    pub(crate) fn run_until(&mut self, until: SwitchTime, egress: &mut impl Egress<T>) {
        while let Some(&Reverse((at, event, index))) = self.timers.peek() {
            if at > until.min(egress.limit()) {
                break;
            }
            self.timers.pop();
            match event {
                Event::Turn(queue) => self.turn(usize::from(index), queue, at),
                Event::Dequeue => self.dequeue(usize::from(index), at, egress),
                Event::Leave => self.leave(usize::from(index), at, egress),
            }
        }
    }

    /// Says at `now` how many more frames what is behind the port's wire takes; without a word it
    /// takes them all.
    pub(crate) fn set_room(&mut self, port: u16, packets: usize, now: SwitchTime) {
        if let Some(index) = self.index(port) {
            self.ports[index].room_packets = packets;
            self.schedule_dequeue(index, now);
        }
    }

    /// Limits queues, which must exist, for frames that come from now on.
    pub(crate) fn limit_queues(&mut self, queues: Queues, limit: QueueLimit) {
        let (port, queue) = match queues {
            Queues::All => return self.limit_all_queues(limit),
            Queues::OfPort(port) => (port, None),
            Queues::One { port, queue } => (port, Some(queue)),
        };
        if let Some(index) = self.index(port) {
            self.ports[index].limit(queue, limit);
        }
    }

    /// Those of ports that are still to come, too.
    fn limit_all_queues(&mut self, limit: QueueLimit) {
        self.limits.retain(|other| discriminant(other) != discriminant(&limit));
        self.limits.push(limit);
        self.ports.iter_mut().for_each(|port| port.limit(None, limit));
    }

    /// Empties the queues, not the wires; returns what was discarded.
    pub(crate) fn flush(&mut self, egress: &mut impl Egress<T>) -> Tally {
        let mut flushed = Tally::default();
        for port in &mut self.ports {
            flushed += discard_queued(port, egress);
        }
        flushed
    }

    fn index(&self, port: u16) -> Option<usize> {
        let index = *self.index_of.get(usize::from(port))?;
        (index != NO_PORT).then_some(usize::from(index))
    }

    fn schedule_dequeue(&mut self, index: usize, now: SwitchTime) {
        let port = &mut self.ports[index];
        if !port.dequeue_is_scheduled && !port.is_at_rest() && port.room_packets > 0 {
            port.dequeue_is_scheduled = true;
            let at = port.link.free_at().max(now);
            self.timers.push(Reverse((at, Event::Dequeue, index as u16)));
        }
    }

    /// Sees to it that a queue is served when its first frame's turn comes.
    fn settle(&mut self, index: usize, queue: u8, now: SwitchTime) {
        if let Some(turn) = self.ports[index].settle(queue, now) {
            self.timers.push(Reverse((turn, Event::Turn(queue), index as u16)));
        }
    }

    fn turn(&mut self, index: usize, queue: u8, at: SwitchTime) {
        self.ports[index].take_timer(queue);
        self.settle(index, queue, at);
        self.schedule_dequeue(index, at);
    }

    fn dequeue(&mut self, index: usize, at: SwitchTime, egress: &mut impl Egress<T>) {
        self.ports[index].dequeue_is_scheduled = false;
        while self.ports[index].can_transmit(at) {
            let Some(waiting) = self.ports[index].pop() else {
                return;
            };
            self.settle(index, waiting.queue, at);
            self.transmit(index, waiting, at, egress);
        }
        self.schedule_dequeue(index, at);
    }

    /// Runs egress and puts the frame on the link and the wire behind it.
    fn transmit(
        &mut self,
        index: usize,
        waiting: Waiting<T>,
        at: SwitchTime,
        egress: &mut impl Egress<T>,
    ) {
        let port = &mut self.ports[index];
        let queue = QueueInfo {
            enqueued_at_us: waiting.enqueued_at.micros(),
            enqueue_depth_packets: waiting.depth_packets,
            dequeue_depth_packets: port.depth_packets(waiting.queue),
            queue: waiting.queue,
        };
        let mut item = waiting.item;
        let length_bytes = match egress.dequeue(&mut item, port.number, at, queue) {
            Dequeued::Transmit { length_bytes } => length_bytes,
            Dequeued::Recirculate => return egress.recirculate(item, at),
            Dequeued::Drop => return egress.discard(item),
        };
        let arrival = port.transmit(at, length_bytes);
        if arrival <= at && port.on_wire_packets() == 0 {
            egress.leave(item, port.number, at);
        } else if port.push_wire(arrival, item) {
            self.timers.push(Reverse((arrival, Event::Leave, index as u16)));
        }
    }

    fn leave(&mut self, index: usize, at: SwitchTime, egress: &mut impl Egress<T>) {
        let port = &mut self.ports[index];
        while let Some(item) = port.pop_wire(at) {
            egress.leave(item, port.number, at);
        }
        if let Some(arrival) = port.next_arrival() {
            self.timers.push(Reverse((arrival, Event::Leave, index as u16)));
        }
    }
}

fn discard_queued<T>(port: &mut EgressPort<T>, egress: &mut impl Egress<T>) -> Tally {
    let queued = port.queued();
    port.drain().for_each(|waiting| egress.discard(waiting.item));
    queued
}

#[cfg(test)]
mod tests;
