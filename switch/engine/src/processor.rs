//! The program at work: runs packets through the pipeline and keeps the account of them.

use std::sync::Arc;

use pipeline::{EgressVerdict, Pipeline, QueueInfo, Verdict};

use crate::config::PORT_LIMIT;
use crate::control_queue::ControlQueues;
use crate::egress_port::Tally;
use crate::io::Losses;
use crate::loopback::Loopback;
use crate::observer::{Observer, PacketNumber};
use crate::pool::{Buffer, Pool};
use crate::replication::ReplicationEngine;
use crate::statistics::SwitchStatistics;
use crate::trace::{DropReason, SwitchEvent};
use crate::traffic_manager::{Dequeued, Egress};

const NS_PER_US: u64 = 1_000;

/// A frame at the far end of a port's wire.
#[derive(Debug)]
pub struct Departure {
    /// When its last bit arrives there.
    pub at_ns: u64,
    /// The egress port.
    pub port: u16,
    /// Its place among all departures of the switch.
    pub sequence: u64,
    buffer: Buffer,
}

impl Departure {
    /// The frame, Ethernet without FCS.
    pub fn frame(&self) -> &[u8] {
        self.buffer.packet.frame()
    }
}

/// Frames received and sent by one port.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PortTraffic {
    pub(crate) received: Tally,
    pub(crate) sent: Tally,
    pub(crate) losses: Losses,
}

/// A packet on its way to the queues of an egress port.
#[derive(Debug)]
pub(crate) struct Forwarded {
    pub(crate) buffer: Buffer,
    pub(crate) port: u16,
    pub(crate) priority: u64,
}

/// A packet on its way back into the switch.
#[derive(Debug)]
pub(crate) enum Returning {
    ToIngress(Buffer),
    ToEgress(Forwarded),
}

impl Returning {
    fn buffer(&self) -> &Buffer {
        match self {
            Returning::ToIngress(buffer) | Returning::ToEgress(Forwarded { buffer, .. }) => buffer,
        }
    }

    fn into_buffer(self) -> Buffer {
        match self {
            Returning::ToIngress(buffer) | Returning::ToEgress(Forwarded { buffer, .. }) => buffer,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Processor {
    pub(crate) statistics: SwitchStatistics,
    pub(crate) traffic: Box<[PortTraffic; PORT_LIMIT as usize]>,
    pub(crate) outbox: Vec<Departure>,
    pub(crate) observer: Observer,
    pub(crate) replication: ReplicationEngine,
    /// Copies that the last run of ingress has made, to be queued before its packet.
    pub(crate) copies: Vec<Forwarded>,
    cpu_port: Option<u16>,
    queues: ControlQueues,
    pub(crate) pipeline: Option<Pipeline>,
    pub(crate) pool: Pool,
    loopback: Loopback<Returning>,
    departures: u64,
}

impl Processor {
    pub(crate) fn new(cpu_port: Option<u16>, queues: ControlQueues, observer: Observer) -> Self {
        Processor {
            statistics: SwitchStatistics::default(),
            traffic: Box::new([PortTraffic::default(); PORT_LIMIT as usize]),
            outbox: Vec::new(),
            observer,
            replication: ReplicationEngine::default(),
            copies: Vec::new(),
            cpu_port,
            queues,
            pipeline: None,
            pool: Pool::default(),
            loopback: Loopback::new(),
            departures: 0,
        }
    }

    pub(crate) fn pipeline(&mut self) -> Option<&mut Pipeline> {
        self.pipeline.as_mut()
    }

    /// Takes program, state, multicast groups and clone sessions out; packets in flight find none.
    pub(crate) fn take(&mut self) -> Option<(Pipeline, ReplicationEngine)> {
        self.pool.renew();
        let replication = std::mem::take(&mut self.replication);
        self.pipeline.take().map(|pipeline| (pipeline, replication))
    }

    /// Replaces program, state, multicast groups, clone sessions and spare packets; discards what
    /// was on its way back. Returns the old program.
    pub(crate) fn replace(&mut self, mut pipeline: Pipeline) -> Option<Pipeline> {
        self.queues.digests.clear();
        let log = Arc::clone(&self.queues.log);
        pipeline.set_log(Some(Box::new(move |line| log.push(|| line.to_string()))));
        self.pool.renew();
        for returning in self.loopback.drain() {
            self.statistics.flushed.add(returning.buffer().length_bytes());
        }
        self.replication = ReplicationEngine::default();
        self.pipeline.replace(pipeline)
    }

    /// Runs a received frame through ingress; returns it unless it was dropped.
    pub(crate) fn ingress(&mut self, port: u16, frame: &[u8], at_ns: u64) -> Option<Forwarded> {
        self.traffic[usize::from(port)].received.add(frame.len());
        let number = self.observer.receive(port, frame, at_ns);
        let Some(pipeline) = &mut self.pipeline else {
            self.account_drop(number, frame.len(), DropReason::NoProgram, at_ns);
            return None;
        };
        let mut buffer = self.pool.take(pipeline, number);
        buffer.packet.set_frame(frame);
        pipeline.set_tracing(number.is_some());
        let verdict = pipeline.ingress(&mut buffer.packet, port, at_ns / NS_PER_US);
        self.observer.record_run(number, at_ns, pipeline);
        self.after_ingress(buffer, verdict, at_ns)
    }

    /// Runs a packet through ingress again.
    pub(crate) fn ingress_again(&mut self, mut buffer: Buffer, at_ns: u64) -> Option<Forwarded> {
        let Some(pipeline) = &mut self.pipeline else {
            self.drop(buffer, DropReason::NoProgram, at_ns);
            return None;
        };
        pipeline.set_tracing(buffer.number.is_some());
        let verdict = pipeline.ingress_again(&mut buffer.packet, at_ns / NS_PER_US);
        self.observer.record_run(buffer.number, at_ns, pipeline);
        self.after_ingress(buffer, verdict, at_ns)
    }

    fn after_ingress(
        &mut self,
        mut buffer: Buffer,
        verdict: Verdict,
        at_ns: u64,
    ) -> Option<Forwarded> {
        if let Some(request) = buffer.packet.take_clone_request() {
            self.clone(&buffer, request, at_ns, Pipeline::clone_ingress);
        }
        let pipeline = self.pipeline.as_mut()?;
        if let Some(digest) = pipeline.take_digest(&mut buffer.packet) {
            self.queues.digests.push(|| digest);
        }
        match verdict {
            Verdict::Forward(port) => {
                let priority = pipeline.priority(&buffer.packet);
                return Some(Forwarded { buffer, port, priority });
            }
            Verdict::Drop => self.drop(buffer, DropReason::Ingress, at_ns),
            Verdict::Multicast(group) => self.multicast(buffer, group, at_ns),
            Verdict::Resubmit => {
                pipeline.resubmit(&mut buffer.packet);
                self.observer.record(buffer.number, at_ns, SwitchEvent::Resubmit);
                self.send_back(Returning::ToIngress(buffer), at_ns);
            }
        }
        None
    }

    pub(crate) fn drop(&mut self, buffer: Buffer, reason: DropReason, at_ns: u64) {
        self.account_drop(buffer.number, buffer.length_bytes(), reason, at_ns);
        self.recycle(buffer);
    }

    fn account_drop(
        &mut self,
        number: PacketNumber,
        length_bytes: usize,
        reason: DropReason,
        at_ns: u64,
    ) {
        self.statistics.program_dropped.add(length_bytes);
        self.observer.record(number, at_ns, SwitchEvent::Drop { reason });
    }

    /// Runs egress on a packet for a port that the switch does not have. As in BMv2, only what
    /// would leave by it is lost.
    #[cold]
    pub(crate) fn egress_to_nowhere(&mut self, mut buffer: Buffer, port: u16, at_ns: u64) {
        let queue = QueueInfo { enqueued_at_us: at_ns / NS_PER_US, ..QueueInfo::default() };
        match self.dequeue(&mut buffer, port, at_ns, queue) {
            Dequeued::Drop => self.recycle(buffer),
            Dequeued::Recirculate => self.recirculate(buffer, at_ns),
            Dequeued::Transmit { length_bytes } => {
                self.statistics.no_such_port.add(length_bytes);
                let reason = DropReason::NoSuchPort;
                self.observer.record(buffer.number, at_ns, SwitchEvent::Drop { reason });
                self.recycle(buffer);
            }
        }
    }

    /// As in BMv2, a packet whose priority has no queue is lost.
    #[cold]
    pub(crate) fn lose_without_queue(&mut self, buffer: Buffer, at_ns: u64) {
        self.statistics.no_such_queue.add(buffer.length_bytes());
        let reason = DropReason::NoSuchQueue;
        self.observer.record(buffer.number, at_ns, SwitchEvent::Drop { reason });
        self.recycle(buffer);
    }

    fn send_back(&mut self, returning: Returning, at_ns: u64) {
        if let Err(returning) = self.loopback.push(returning, at_ns) {
            let buffer = returning.into_buffer();
            self.statistics.loopback_dropped.add(buffer.length_bytes());
            let reason = DropReason::Loopback;
            self.observer.record(buffer.number, at_ns, SwitchEvent::Drop { reason });
            self.recycle(buffer);
        }
    }

    /// Sends the copies that egress has made back to the queues.
    #[cold]
    fn send_copies_back(&mut self, at_ns: u64) {
        let mut copies = std::mem::take(&mut self.copies);
        for copy in copies.drain(..) {
            self.send_back(Returning::ToEgress(copy), at_ns);
        }
        self.copies = copies;
    }

    /// When the next packet on its way back arrives.
    pub(crate) fn next_return_ns(&self) -> Option<u64> {
        self.loopback.next_arrival_ns()
    }

    /// Takes the next packet that is back by `now_ns`, and when it came.
    pub(crate) fn take_return(&mut self, now_ns: u64) -> Option<(u64, Returning)> {
        self.loopback.pop(now_ns)
    }

    /// What is on its way back now.
    pub(crate) fn returning(&self) -> Tally {
        let mut tally = Tally::default();
        for returning in self.loopback.packets() {
            tally.add(returning.buffer().length_bytes());
        }
        tally
    }

    /// Makes the frame that leaves; returns its length.
    #[inline]
    fn deparse(&mut self, buffer: &mut Buffer) -> usize {
        let before_bytes = buffer.length_bytes();
        if let Some(pipeline) = &mut self.pipeline {
            pipeline.deparse(&mut buffer.packet);
        }
        let length_bytes = buffer.length_bytes();
        self.statistics.resized(before_bytes, length_bytes);
        length_bytes
    }

    /// Takes a packet back for reuse.
    pub(crate) fn recycle(&mut self, buffer: Buffer) {
        self.pool.recycle(buffer);
    }

    /// Takes back departures that have been dealt with; the vector keeps its memory.
    pub(crate) fn recycle_departures(&mut self, departures: &mut Vec<Departure>) {
        for departure in departures.drain(..) {
            self.recycle(departure.buffer);
        }
    }
}

impl Egress<Buffer> for Processor {
    fn dequeue(
        &mut self,
        buffer: &mut Buffer,
        port: u16,
        at_ns: u64,
        queue: QueueInfo,
    ) -> Dequeued {
        let (number, length_bytes) = (buffer.number, buffer.length_bytes());
        let Some(pipeline) = &mut self.pipeline else {
            self.account_drop(number, length_bytes, DropReason::NoProgram, at_ns);
            return Dequeued::Drop;
        };
        let waited_us = (at_ns / NS_PER_US).saturating_sub(queue.enqueued_at_us);
        let depth_packets = queue.dequeue_depth_packets;
        let event = SwitchEvent::Dequeue { port, depth_packets, waited_us };
        self.observer.record(number, at_ns, event);
        pipeline.set_tracing(number.is_some());
        let verdict = pipeline.run_egress(&mut buffer.packet, port, at_ns / NS_PER_US, queue);
        self.observer.record_run(number, at_ns, pipeline);
        if let Some(request) = buffer.packet.take_clone_request() {
            self.clone(buffer, request, at_ns, Pipeline::clone_egress);
            self.send_copies_back(at_ns);
        }
        match verdict {
            EgressVerdict::Drop => {
                self.account_drop(number, length_bytes, DropReason::Egress, at_ns);
                Dequeued::Drop
            }
            EgressVerdict::Emit => Dequeued::Transmit { length_bytes: self.deparse(buffer) },
            EgressVerdict::Recirculate => {
                self.deparse(buffer);
                Dequeued::Recirculate
            }
        }
    }

    fn enqueued(&mut self, buffer: &Buffer, port: u16, at_ns: u64, depth_packets: u32) {
        let event = SwitchEvent::Enqueue { port, depth_packets };
        self.observer.record(buffer.number, at_ns, event);
    }

    fn overflowed(&mut self, buffer: &Buffer, at_ns: u64) {
        let reason = DropReason::QueueMemory;
        self.observer.record(buffer.number, at_ns, SwitchEvent::Drop { reason });
    }

    fn leave(&mut self, buffer: Buffer, port: u16, at_ns: u64) {
        self.traffic[usize::from(port)].sent.add(buffer.packet.frame().len());
        self.observer.send(buffer.number, port, buffer.packet.frame(), at_ns);
        if self.cpu_port == Some(port) {
            self.queues.packet_ins.push(|| buffer.packet.frame().to_vec());
            self.recycle(buffer);
        } else {
            self.outbox.push(Departure { at_ns, port, sequence: self.departures, buffer });
            self.departures += 1;
        }
    }

    fn recirculate(&mut self, mut buffer: Buffer, at_ns: u64) {
        if let Some(pipeline) = &mut self.pipeline {
            pipeline.recirculate(&mut buffer.packet);
        }
        self.observer.record(buffer.number, at_ns, SwitchEvent::Recirculate);
        self.send_back(Returning::ToIngress(buffer), at_ns);
    }

    fn discard(&mut self, buffer: Buffer) {
        self.recycle(buffer);
    }

    #[inline]
    fn limit_ns(&self) -> u64 {
        self.next_return_ns().unwrap_or(u64::MAX)
    }
}
