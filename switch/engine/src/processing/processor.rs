//! What packets meet inside the switch, and the account of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use pipeline::{Notices, Pipeline};

use super::pool::{Buffer, Pool};
use super::transit::{Departure, Returning};
use crate::config::{PortConfig, PORT_LIMIT};
use crate::control_queue::ControlQueues;
use crate::observe::{DropReason, Observer, PacketNumber, SwitchEvent};
use crate::queue::Loopback;
use crate::replication::ReplicationEngine;
use crate::statistics::{PortTraffic, SwitchStatistics, Tally};
use crate::time::SwitchTime;

/// The program with all that its packets meet: who watches them, where they are copied to, the way
/// back into the switch, and the outbox for those that have left.
#[derive(Debug)]
pub(crate) struct Processor {
    pub(crate) pipeline: Option<Pipeline>,
    pub(super) pool: Pool,
    pub(crate) statistics: SwitchStatistics,
    pub(crate) traffic: Box<[PortTraffic; PORT_LIMIT as usize]>,
    pub(crate) observer: Observer,
    pub(crate) replication: ReplicationEngine,
    pub(super) up_ports: BTreeSet<u16>,
    /// Those that are down, or were removed; others are as if they were up.
    down_ports: BTreeSet<u16>,
    pub(super) notices: Notices,
    pub(super) cpu_port: Option<u16>,
    pub(super) queues: ControlQueues,
    pub(crate) loopback: Loopback<Returning>,
    /// Runs of ingress and egress until the turn is over.
    pub(crate) passes_left: u64,
    /// What has left the switch and nobody has taken, in order.
    pub(crate) outbox: Vec<Departure>,
    departures: u64,
}

impl Processor {
    /// All of `ports` are up.
    pub(crate) fn new(
        ports: impl IntoIterator<Item = u16>,
        cpu_port: Option<u16>,
        queues: ControlQueues,
        observer: Observer,
    ) -> Self {
        Processor {
            pipeline: None,
            pool: Pool::default(),
            statistics: SwitchStatistics::default(),
            traffic: Box::new([PortTraffic::default(); PORT_LIMIT as usize]),
            observer,
            replication: ReplicationEngine::default(),
            up_ports: ports.into_iter().collect(),
            down_ports: BTreeSet::new(),
            notices: Notices::default(),
            cpu_port,
            queues,
            loopback: Loopback::new(),
            passes_left: u64::MAX,
            outbox: Vec::new(),
            departures: 0,
        }
    }

    /// Takes what the user should know and has not been told.
    pub(crate) fn take_notices(&mut self) -> Vec<String> {
        let mut notices = self.notices.take();
        if let Some(pipeline) = &mut self.pipeline {
            notices.append(&mut pipeline.notices().take());
        }
        notices
    }

    /// Tells whether a port is up: replicas leave those that are not.
    pub(crate) fn set_port_up(&mut self, port: u16, up: bool) {
        let (to, from) = match up {
            true => (&mut self.up_ports, &mut self.down_ports),
            false => (&mut self.down_ports, &mut self.up_ports),
        };
        from.remove(&port);
        to.insert(port);
        if let Some(pipeline) = &mut self.pipeline {
            pipeline.set_port_up(port, up);
        }
    }

    /// A port is there from now on, and up.
    pub(crate) fn add_port(&mut self, config: &PortConfig) {
        self.traffic[usize::from(config.port)] = PortTraffic::default();
        self.observer.add_port(config.clone());
        self.set_port_up(config.port, true);
    }

    /// A port is there no more.
    pub(crate) fn remove_port(&mut self, port: u16) {
        self.observer.remove_port(port);
        self.set_port_up(port, false);
    }

    pub(crate) fn is_port_up(&self, port: u16) -> bool {
        self.up_ports.contains(&port)
    }

    /// Replaces program, state, multicast groups, clone sessions and spare packets; discards what
    /// was on its way back. Returns the old program.
    pub(crate) fn replace(&mut self, mut pipeline: Pipeline) -> Option<Pipeline> {
        self.queues.digests.clear();
        let log = Arc::clone(&self.queues.log);
        pipeline.set_log(Some(Box::new(move |line| log.push(|| line.to_string()))));
        self.down_ports.iter().for_each(|&port| pipeline.set_port_up(port, false));
        self.pool.renew();
        for returning in self.loopback.drain() {
            self.statistics.flushed.add(returning.buffer().length_bytes());
        }
        self.replication = ReplicationEngine::default();
        self.notices = Notices::default();
        self.traffic.iter_mut().for_each(|traffic| traffic.forwarded_packets = 0);
        self.pipeline.replace(pipeline)
    }

    pub(super) fn drop(&mut self, buffer: Buffer, reason: DropReason, at: SwitchTime) {
        self.account_drop(buffer.number, buffer.length_bytes(), reason, at);
        self.recycle(buffer);
    }

    pub(super) fn account_drop(
        &mut self,
        number: PacketNumber,
        length_bytes: usize,
        reason: DropReason,
        at: SwitchTime,
    ) {
        self.statistics.program_dropped.add(length_bytes);
        self.observer.record(number, at, SwitchEvent::Drop { reason });
    }

    pub(super) fn send_back(&mut self, returning: Returning, at: SwitchTime) {
        if let Err(returning) = self.loopback.push(returning, at) {
            let buffer = returning.into_buffer();
            self.statistics.loopback_dropped.add(buffer.length_bytes());
            let reason = DropReason::Loopback;
            self.observer.record(buffer.number, at, SwitchEvent::Drop { reason });
            self.recycle(buffer);
        }
    }

    /// The turn's runs are used up.
    #[inline]
    pub(crate) fn turn_is_over(&self) -> bool {
        self.passes_left == 0
    }

    /// Counts a run of ingress or egress.
    #[inline]
    pub(super) fn count_pass(&mut self) {
        self.passes_left = self.passes_left.saturating_sub(1);
    }

    /// What became of frames, and what is on its way back now.
    pub(crate) fn statistics(&self) -> SwitchStatistics {
        let mut returning = Tally::default();
        for packet in self.loopback.packets() {
            returning.add(packet.buffer().length_bytes());
        }
        SwitchStatistics { returning, ..self.statistics }
    }

    /// A packet has left the switch: it waits in the outbox.
    pub(super) fn depart(&mut self, buffer: Buffer, port: u16, at: SwitchTime) {
        self.outbox.push(Departure { at_ns: at.nanos(), port, sequence: self.departures, buffer });
        self.departures += 1;
    }

    /// Takes a packet back for reuse.
    pub(crate) fn recycle(&mut self, buffer: Buffer) {
        self.pool.recycle(buffer);
    }

    /// How many packets wait for reuse.
    #[cfg(test)]
    pub(crate) fn spare_packets(&self) -> usize {
        self.pool.len()
    }

    /// Takes back departures that have been dealt with; the vector keeps its memory.
    pub(crate) fn recycle_departures(&mut self, departures: &mut Vec<Departure>) {
        for departure in departures.drain(..) {
            self.recycle(departure.buffer);
        }
    }
}
