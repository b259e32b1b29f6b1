//! Egress: what happens to a packet at the traffic manager's events.

use std::collections::VecDeque;

use pipeline::{CloneRequest, EgressVerdict, Pipeline, QueueInfo};

use super::pool::Buffer;
use super::processor::Processor;
use super::transit::Returning;
use crate::config::{port_ranges, MAX_QUEUES};
use crate::observe::{DropReason, SwitchEvent};
use crate::queue::{Dequeued, Egress};
use crate::time::SwitchTime;

impl Processor {
    /// Runs egress on a packet for a port that the switch does not have. As in BMv2, only what
    /// would leave by it is lost.
    #[cold]
    pub(crate) fn egress_to_nowhere(&mut self, mut buffer: Buffer, port: u16, at: SwitchTime) {
        let queue = QueueInfo { enqueued_at_us: at.micros(), ..QueueInfo::default() };
        match self.dequeue(&mut buffer, port, at, queue) {
            Dequeued::Drop => self.recycle(buffer),
            Dequeued::Recirculate => self.recirculate(buffer, at),
            Dequeued::Transmit { length_bytes } => {
                self.statistics.no_such_port.add(length_bytes);
                let reason = match port {
                    0 => DropReason::NoPortChosen,
                    _ => DropReason::NoSuchPort,
                };
                self.tell_of_missing(port);
                self.observer.record(buffer.number, at, SwitchEvent::Drop { reason });
                self.recycle(buffer);
            }
        }
    }

    /// Says once that packets go to a port that is not there.
    fn tell_of_missing(&mut self, port: u16) {
        let observer = &self.observer;
        self.notices.tell("missing port", port.into(), || {
            let ports = port_ranges(observer.ports());
            let why = match port {
                0 => "; packets go to port 0 if the program sets no egress_spec",
                _ => "",
            };
            format!("packets for port {port} are dropped: there is no such port, but {ports}{why}")
        });
    }

    /// Says once that packets of a priority go to a port without a queue for it; those above all
    /// queues that a port can have count as one.
    fn tell_of_missing_queue(&mut self, port: u16, priority: u64, queues: u8) {
        let most = u64::from(MAX_QUEUES);
        let which = u64::from(port) * (most + 1) + priority.min(most);
        self.notices.tell("missing queue", which, || {
            let queues = match queues {
                1 => "only queue 0".to_owned(),
                _ => format!("only queues 0 to {}", queues - 1),
            };
            format!(
                "packets of priority {priority} for port {port} are dropped: it has {queues}; give \
                 the port more queues, or set a lower standard_metadata.priority"
            )
        });
    }

    /// As in BMv2, a packet whose priority has no queue, of so many of the port, is lost.
    #[cold]
    pub(crate) fn lose_without_queue(
        &mut self,
        buffer: Buffer,
        port: u16,
        priority: u64,
        queues: u8,
        at: SwitchTime,
    ) {
        self.statistics.no_such_queue.add(buffer.length_bytes());
        self.tell_of_missing_queue(port, priority, queues);
        let reason = DropReason::NoSuchQueue;
        self.observer.record(buffer.number, at, SwitchEvent::Drop { reason });
        self.recycle(buffer);
    }

    /// Sends clones made in egress back to the queues.
    #[cold]
    fn clone_back(&mut self, buffer: &Buffer, request: CloneRequest, at: SwitchTime) {
        let mut clones = VecDeque::new();
        self.clone(buffer, request, at, Pipeline::clone_egress, &mut clones);
        for clone in clones {
            self.send_back(Returning::ToEgress(clone), at);
        }
    }

    /// Makes the frame that leaves; returns its length.
    #[inline]
    fn deparse(&mut self, buffer: &mut Buffer, at: SwitchTime) -> usize {
        let before_bytes = buffer.length_bytes();
        if let Some(pipeline) = &mut self.pipeline {
            pipeline.deparse(&mut buffer.packet);
            self.observer.record_run(buffer.number, at, pipeline);
        }
        let length_bytes = buffer.length_bytes();
        self.statistics.resized(before_bytes, length_bytes);
        length_bytes
    }
}

impl Egress<Buffer> for Processor {
    fn dequeue(
        &mut self,
        buffer: &mut Buffer,
        port: u16,
        at: SwitchTime,
        queue: QueueInfo,
    ) -> Dequeued {
        self.count_pass();
        let (number, length_bytes) = (buffer.number, buffer.length_bytes());
        let Some(pipeline) = &mut self.pipeline else {
            self.account_drop(number, length_bytes, DropReason::NoProgram, at);
            return Dequeued::Drop;
        };
        let waited_us = at.micros().saturating_sub(queue.enqueued_at_us);
        let depth_packets = queue.dequeue_depth_packets;
        let event = SwitchEvent::Dequeue { port, depth_packets, waited_us };
        self.observer.record(number, at, event);
        pipeline.set_tracing(self.observer.traces(number));
        let verdict = pipeline.run_egress(&mut buffer.packet, port, at.micros(), queue);
        self.observer.record_run(number, at, pipeline);
        if let Some(request) = buffer.packet.take_clone_request() {
            self.clone_back(buffer, request, at);
        }
        match verdict {
            EgressVerdict::Drop => {
                self.account_drop(number, length_bytes, DropReason::Egress, at);
                Dequeued::Drop
            }
            EgressVerdict::Emit => Dequeued::Transmit { length_bytes: self.deparse(buffer, at) },
            EgressVerdict::Recirculate => {
                self.deparse(buffer, at);
                Dequeued::Recirculate
            }
        }
    }

    fn enqueued(&mut self, buffer: &Buffer, port: u16, at: SwitchTime, depth_packets: u32) {
        let event = SwitchEvent::Enqueue { port, depth_packets };
        self.observer.record(buffer.number, at, event);
    }

    fn overflowed(&mut self, buffer: &Buffer, at: SwitchTime) {
        let reason = DropReason::QueueFull;
        self.observer.record(buffer.number, at, SwitchEvent::Drop { reason });
    }

    fn leave(&mut self, buffer: Buffer, port: u16, at: SwitchTime) {
        self.traffic[usize::from(port)].sent.add(buffer.packet.frame().len());
        self.observer.send(buffer.number, port, buffer.packet.frame(), at);
        if self.cpu_port == Some(port) {
            self.queues.packet_ins.push(|| buffer.packet.frame().to_vec());
            self.recycle(buffer);
        } else {
            self.depart(buffer, port, at);
        }
    }

    fn recirculate(&mut self, mut buffer: Buffer, at: SwitchTime) {
        if let Some(pipeline) = &mut self.pipeline {
            pipeline.recirculate(&mut buffer.packet);
        }
        self.observer.record(buffer.number, at, SwitchEvent::Recirculate);
        self.send_back(Returning::ToIngress(buffer), at);
    }

    fn discard(&mut self, buffer: Buffer) {
        self.recycle(buffer);
    }

    #[inline]
    fn limit(&self) -> SwitchTime {
        match self.turn_is_over() {
            true => SwitchTime::default(),
            false => self.loopback.next_arrival().unwrap_or(SwitchTime::NEVER),
        }
    }
}
