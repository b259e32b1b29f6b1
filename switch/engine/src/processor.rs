//! The program at work: runs packets through the pipeline and keeps the account of them.

use std::sync::Arc;

use pipeline::{EgressVerdict, Packet, Pipeline, QueueInfo, Verdict};

use crate::config::PORT_LIMIT;
use crate::control_queue::{DigestQueue, PacketInQueue};
use crate::egress_port::Tally;
use crate::io::Losses;
use crate::observer::{Observer, PacketNumber};
use crate::trace::{DropReason, SwitchEvent};
use crate::traffic_manager::Egress;

const NS_PER_US: u64 = 1_000;

/// Packets kept for reuse; more are freed.
const POOL_PACKETS: usize = 8192;

/// A packet of the program that was loaded when it arrived.
#[derive(Debug)]
pub(crate) struct Buffer {
    packet: Packet,
    generation: u64,
    pub(crate) number: PacketNumber,
}

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

/// Frames that ended inside the switch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SwitchStatistics {
    /// Dropped by the program, or received before one was loaded.
    pub program_dropped_packets: u64,
    /// Sent by the program to a port that the switch does not have.
    pub no_such_port_packets: u64,
    /// Discarded from queues because another program was loaded.
    pub flushed_packets: u64,
}

/// Frames received and sent by one port.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PortTraffic {
    pub(crate) received: Tally,
    pub(crate) sent: Tally,
    pub(crate) losses: Losses,
}

#[derive(Debug)]
pub(crate) struct Processor {
    pub(crate) statistics: SwitchStatistics,
    pub(crate) traffic: Box<[PortTraffic; PORT_LIMIT as usize]>,
    pub(crate) outbox: Vec<Departure>,
    pub(crate) observer: Observer,
    cpu_port: Option<u16>,
    packet_ins: Arc<PacketInQueue>,
    digests: Arc<DigestQueue>,
    pipeline: Option<Pipeline>,
    generation: u64,
    pool: Vec<Packet>,
    departures: u64,
}

impl Processor {
    pub(crate) fn new(
        cpu_port: Option<u16>,
        packet_ins: Arc<PacketInQueue>,
        digests: Arc<DigestQueue>,
        observer: Observer,
    ) -> Self {
        Processor {
            statistics: SwitchStatistics::default(),
            traffic: Box::new([PortTraffic::default(); PORT_LIMIT as usize]),
            outbox: Vec::new(),
            observer,
            cpu_port,
            packet_ins,
            digests,
            pipeline: None,
            generation: 0,
            pool: Vec::new(),
            departures: 0,
        }
    }

    pub(crate) fn pipeline(&mut self) -> Option<&mut Pipeline> {
        self.pipeline.as_mut()
    }

    /// Takes program and state out; packets in flight find none.
    pub(crate) fn take(&mut self) -> Option<Pipeline> {
        self.pool.clear();
        self.pipeline.take()
    }

    /// Replaces program, state and spare packets; returns the old program.
    pub(crate) fn replace(&mut self, pipeline: Pipeline) -> Option<Pipeline> {
        self.generation += 1;
        self.pool.clear();
        self.digests.clear();
        self.pipeline.replace(pipeline)
    }

    /// Runs a received frame through ingress; returns it with its egress port unless it was dropped.
    pub(crate) fn ingress(&mut self, port: u16, frame: &[u8], at_ns: u64) -> Option<(Buffer, u16)> {
        self.traffic[usize::from(port)].received.add(frame.len());
        let number = self.observer.receive(port, frame, at_ns);
        let Some(pipeline) = &mut self.pipeline else {
            self.statistics.program_dropped_packets += 1;
            let reason = DropReason::NoProgram;
            self.observer.record(number, at_ns, SwitchEvent::Drop { reason });
            return None;
        };
        let mut packet = self.pool.pop().unwrap_or_else(|| pipeline.new_packet());
        packet.set_frame(frame);
        pipeline.set_tracing(number.is_some());
        let verdict = pipeline.ingress(&mut packet, port, at_ns / NS_PER_US);
        self.observer.record_run(number, at_ns, pipeline);
        if let Some(digest) = pipeline.take_digest() {
            self.digests.push(|| digest);
        }
        let buffer = Buffer { packet, generation: self.generation, number };
        match verdict {
            Verdict::Forward(egress_port) => Some((buffer, egress_port)),
            Verdict::Drop | Verdict::Multicast(_) | Verdict::Resubmit => {
                self.statistics.program_dropped_packets += 1;
                let reason = DropReason::Ingress;
                self.observer.record(number, at_ns, SwitchEvent::Drop { reason });
                self.recycle(buffer);
                None
            }
        }
    }

    /// Takes a packet back for reuse, unless another program has been loaded since.
    pub(crate) fn recycle(&mut self, buffer: Buffer) {
        if buffer.generation == self.generation && self.pool.len() < POOL_PACKETS {
            self.pool.push(buffer.packet);
        }
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
    ) -> Option<usize> {
        let pipeline = self.pipeline.as_mut()?;
        let number = buffer.number;
        let waited_us = (at_ns / NS_PER_US).saturating_sub(queue.enqueued_at_us);
        let depth_packets = queue.dequeue_depth_packets;
        let event = SwitchEvent::Dequeue { port, depth_packets, waited_us };
        self.observer.record(number, at_ns, event);
        pipeline.set_tracing(number.is_some());
        let verdict = pipeline.egress(&mut buffer.packet, port, at_ns / NS_PER_US, queue);
        self.observer.record_run(number, at_ns, pipeline);
        match verdict {
            EgressVerdict::Emit => Some(buffer.packet.frame().len()),
            EgressVerdict::Drop | EgressVerdict::Recirculate => {
                self.statistics.program_dropped_packets += 1;
                let reason = DropReason::Egress;
                self.observer.record(number, at_ns, SwitchEvent::Drop { reason });
                None
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
            self.packet_ins.push(|| buffer.packet.frame().to_vec());
            self.recycle(buffer);
        } else {
            self.outbox.push(Departure { at_ns, port, sequence: self.departures, buffer });
            self.departures += 1;
        }
    }

    fn discard(&mut self, buffer: Buffer) {
        self.recycle(buffer);
    }
}
