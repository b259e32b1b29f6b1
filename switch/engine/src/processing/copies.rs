//! Copies of packets: clones and multicast.

use std::collections::VecDeque;

use pipeline::{CloneRequest, Packet, Pipeline};

use super::pool::{Buffer, Pool};
use super::processor::Processor;
use super::transit::Forwarded;
use crate::observe::{DropReason, Observer, SwitchEvent};
use crate::replication::{CloneSession, Way};
use crate::time::SwitchTime;

impl Processor {
    /// Puts one clone of a packet for every replica of a session, if there is one, into `copies`.
    #[cold]
    pub(super) fn clone(
        &mut self,
        original: &Buffer,
        request: CloneRequest,
        at: SwitchTime,
        make: impl FnOnce(&mut Pipeline, &Packet, &mut Packet, CloneRequest),
        copies: &mut VecDeque<Forwarded>,
    ) {
        let (Some(pipeline), Some(session)) =
            (&mut self.pipeline, self.replication.sessions.get(request.session))
        else {
            return;
        };
        let CloneSession { replicas, class_of_service, packet_length_bytes } = session;
        let number = original.number;
        let event = SwitchEvent::Clone { session: request.session, copies: replicas.len() };
        self.observer.record(number, at, event);
        let number = self.observer.copy(number);
        let mut clone = self.pool.take(pipeline, number);
        pipeline.set_tracing(self.observer.traces(number));
        make(pipeline, &original.packet, &mut clone.packet, request);
        self.observer.record_run(number, at, pipeline);
        pipeline.set_priority(&mut clone.packet, *class_of_service);
        let first = copies.len();
        let priority = u64::from(*class_of_service);
        let ways = replicas.iter().map(|replica| replica.way(&self.up_ports));
        let room = (&mut self.pool, &mut self.observer);
        replicate(pipeline, room, clone, ways, priority, copies);
        for copy in copies.range_mut(first..) {
            self.statistics.copied.add(copy.buffer.length_bytes());
            if let Some(length_bytes) = packet_length_bytes {
                copy.buffer.packet.limit_length(*length_bytes as usize);
            }
        }
    }

    /// Puts one copy for every replica of a group into `copies`; the packet is the last of them.
    pub(super) fn multicast(
        &mut self,
        mut buffer: Buffer,
        group: u16,
        at: SwitchTime,
        copies: &mut VecDeque<Forwarded>,
    ) {
        let replicas = self.replication.groups.get(group).map_or(&[][..], |group| &group.replicas);
        let event = SwitchEvent::Multicast { group, copies: replicas.len() };
        self.observer.record(buffer.number, at, event);
        let (Some(pipeline), false) = (&self.pipeline, replicas.is_empty()) else {
            return self.drop(buffer, DropReason::NoReplicas, at);
        };
        for _ in 1..replicas.len() {
            self.statistics.copied.add(buffer.length_bytes());
        }
        let priority = pipeline.priority(&buffer.packet);
        pipeline.clear_requests(&mut buffer.packet);
        let ways = replicas.iter().map(|replica| replica.way(&self.up_ports));
        let room = (&mut self.pool, &mut self.observer);
        replicate(pipeline, room, buffer, ways, priority, copies);
    }
}

/// Appends a copy of a packet for every way; the packet itself is the last of them.
fn replicate(
    pipeline: &Pipeline,
    (pool, observer): (&mut Pool, &mut Observer),
    packet: Buffer,
    mut ways: impl DoubleEndedIterator<Item = Way>,
    priority: u64,
    copies: &mut VecDeque<Forwarded>,
) {
    let Some(last) = ways.next_back() else {
        return pool.recycle(packet);
    };
    let forwarded = |mut buffer: Buffer, Way { port, instance }: Way| {
        pipeline.set_instance(&mut buffer.packet, instance);
        Forwarded { buffer, port, priority }
    };
    for way in ways {
        let mut copy = pool.take(pipeline, observer.copy(packet.number));
        pipeline.replicate(&packet.packet, &mut copy.packet);
        copies.push_back(forwarded(copy, way));
    }
    copies.push_back(forwarded(packet, last));
}
