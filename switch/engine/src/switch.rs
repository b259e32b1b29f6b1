//! A switch in virtual time: pipeline, traffic manager and clock.

mod control_plane;
mod error;

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::time::Duration;

use pipeline::{Control, Pipeline};

pub use self::control_plane::ControlPlane;
pub(crate) use self::error::Result;
pub use self::error::SwitchError;
use crate::config::{self, ConfigError, PortConfig, QueueLimit, Queues};
use crate::control_queue::ControlQueues;
use crate::observe::Observer;
use crate::processing::{Buffer, Departure, Forwarded, Processor, Returning};
use crate::queue::{NotQueued, TrafficManager};
use crate::replication::ReplicationEngine;
use crate::statistics::{Losses, PortStatistics, SwitchStatistics};
use crate::time::SwitchTime;

/// How late a packet may be on its way back into the switch while that takes no other: longer than
/// most machines keep the packet thread from running.
const MAX_LATE: Duration = Duration::from_millis(10);

/// A port as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortState {
    /// As it was configured.
    pub config: PortConfig,
    /// Frames can go through it, as far as is known.
    pub is_up: bool,
    /// Packets that the program's ingress has sent to this port alone.
    pub forwarded_packets: u64,
}

/// A frame that is to arrive.
#[derive(Debug, PartialEq, Eq)]
struct Arrival {
    at: SwitchTime,
    sequence: u64,
    port: u16,
    frame: Vec<u8>,
}

impl Ord for Arrival {
    /// The earliest is the greatest, for use in a max-heap.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.sequence).cmp(&(self.at, self.sequence))
    }
}

impl PartialOrd for Arrival {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Ports, queues and a program. Deterministic: the same calls give the same departures.
///
/// At one instant the link takes frames from queues before arrivals see them; arrivals keep the
/// order in which they were injected.
#[derive(Debug)]
pub struct Switch {
    ports: Vec<PortConfig>,
    cpu_port: Option<u16>,
    now: SwitchTime,
    manager: TrafficManager<Buffer>,
    processor: Processor,
    queues: ControlQueues,
    /// What ingress has made, to be queued; empty between turns unless one was over before.
    copies: VecDeque<Forwarded>,
    arrivals: BinaryHeap<Arrival>,
    injected: u64,
}

impl Switch {
    /// A switch without a program, at time 0. Frames to the CPU port go to [`Switch::queues`].
    pub fn new(ports: Vec<PortConfig>, cpu_port: Option<u16>) -> Result<Self, ConfigError> {
        config::check(&ports, cpu_port)?;
        let queues = ControlQueues::default();
        let mut egress_ports = ports.clone();
        egress_ports.extend(cpu_port.map(PortConfig::of_cpu));
        let numbers: Vec<_> = egress_ports.iter().map(|config| config.port).collect();
        Ok(Switch {
            manager: TrafficManager::new(&egress_ports),
            processor: Processor::new(
                numbers,
                cpu_port,
                queues.clone(),
                Observer::new(egress_ports),
            ),
            ports,
            cpu_port,
            now: SwitchTime::default(),
            queues,
            copies: VecDeque::new(),
            arrivals: BinaryHeap::new(),
            injected: 0,
        })
    }

    /// The ports as configured, without the CPU port.
    pub fn ports(&self) -> &[PortConfig] {
        &self.ports
    }

    /// The port by which packets go to and come from controllers.
    pub(crate) fn cpu_port(&self) -> Option<u16> {
        self.cpu_port
    }

    /// What the program sends to the control plane.
    pub fn queues(&self) -> &ControlQueues {
        &self.queues
    }

    /// The present: the latest instant that events have been run for.
    pub fn now_ns(&self) -> u64 {
        self.now.nanos()
    }

    pub(crate) fn now(&self) -> SwitchTime {
        self.now
    }

    /// Replaces the program with its state, multicast groups and clone sessions, and discards what
    /// waits in queues; frames on links and wires still arrive. Returns the old program.
    pub fn replace(&mut self, pipeline: Pipeline) -> Option<Pipeline> {
        let old = self.processor.replace(pipeline);
        let mut flushed = self.manager.flush(&mut self.processor);
        for copy in self.copies.drain(..) {
            flushed.add(copy.buffer.length_bytes());
        }
        self.processor.statistics.flushed += flushed;
        old
    }

    /// Multicast groups and clone sessions.
    pub fn replication(&mut self) -> &mut ReplicationEngine {
        &mut self.processor.replication
    }

    /// The control plane's view of the program now.
    pub fn control(&mut self) -> Result<Control<'_>> {
        self.control_at(self.now)
    }

    /// The control plane's view of the program at a time that may be ahead of its events.
    pub(crate) fn control_at(&mut self, now: SwitchTime) -> Result<Control<'_>> {
        let pipeline = self.processor.pipeline.as_mut().ok_or(SwitchError::NoProgram)?;
        pipeline.set_time(now.micros());
        Ok(pipeline.control())
    }

    /// All that controllers read and write of the program, at a time that may be ahead of its events.
    pub(crate) fn control_plane_at(&mut self, now: SwitchTime) -> Result<ControlPlane<'_>> {
        let Processor { pipeline, replication, .. } = &mut self.processor;
        let pipeline = pipeline.as_mut().ok_or(SwitchError::NoProgram)?;
        pipeline.set_time(now.micros());
        Ok(ControlPlane::of(pipeline, replication, &self.ports, self.cpu_port))
    }

    /// Tells whether a port is up: members of action profiles that watch it take part only then,
    /// and replicas leave it for their backups otherwise. All ports are up at first.
    pub fn set_port_up(&mut self, port: u16, up: bool) -> Result {
        self.check_port(port)?;
        self.processor.set_port_up(port, up);
        Ok(())
    }

    /// The ports now, without the CPU port.
    pub fn port_states(&self) -> Vec<PortState> {
        let state = |config: &PortConfig| PortState {
            config: config.clone(),
            is_up: self.processor.is_port_up(config.port),
            forwarded_packets: self.processor.traffic[usize::from(config.port)].forwarded_packets,
        };
        self.ports.iter().map(state).collect()
    }

    /// Adds a port, whose accounts begin at nothing. Queues of all ports are limited as those that
    /// there were.
    pub fn add_port(&mut self, config: PortConfig) -> Result {
        self.check_new_port(&config)?;
        self.manager.add(&config);
        self.processor.add_port(&config);
        self.ports.push(config);
        Ok(())
    }

    /// Removes a port, not the CPU port. What its queues hold is discarded as by a new program, and
    /// what is to arrive there does not; what is on its wire leaves at once.
    pub fn remove_port(&mut self, port: u16) -> Result {
        let found = self.ports.iter().position(|config| config.port == port);
        self.ports.remove(found.ok_or_else(|| self.unknown_port(port))?);
        self.arrivals.retain(|arrival| arrival.port != port);
        let flushed = self.manager.remove(port, self.now, &mut self.processor);
        self.processor.statistics.flushed += flushed;
        self.processor.remove_port(port);
        Ok(())
    }

    /// Whether a port could be added.
    pub(crate) fn check_new_port(&self, config: &PortConfig) -> Result {
        config::check_port(config, self.cpu_port)?;
        let port = config.port;
        if self.ports.iter().any(|other| other.port == port) {
            return Err(SwitchError::PortInUse { port });
        }
        let Some(interface) = &config.interface else { return Ok(()) };
        match self.ports.iter().find(|other| other.interface.as_ref() == Some(interface)) {
            Some(other) => {
                let interface = interface.clone();
                Err(SwitchError::InterfaceInUse { interface, port: other.port })
            }
            None => Ok(()),
        }
    }

    /// Limits queues for frames that come from now on.
    pub fn limit_queues(&mut self, queues: Queues, limit: QueueLimit) -> Result {
        self.check_queues(queues)?;
        self.manager.limit_queues(queues, limit);
        Ok(())
    }

    #[cfg(test)]
    pub(crate) fn is_port_up(&self, port: u16) -> bool {
        self.processor.is_port_up(port)
    }

    /// Lets a frame arrive at `port` at `at_ns`, once [`Switch::run_until`] gets there.
    pub fn inject(&mut self, port: u16, frame: Vec<u8>, at_ns: u64) -> Result {
        self.check_port(port)?;
        let at = self.check_future(at_ns)?;
        self.arrivals.push(Arrival { at, sequence: self.injected, port, frame });
        self.injected += 1;
        Ok(())
    }

    /// Runs all events up to and including `until_ns`, which becomes the present.
    pub fn run_until(&mut self, until_ns: u64) -> Result {
        let until = self.check_future(until_ns)?;
        while self.arrivals.peek().is_some_and(|arrival| arrival.at <= until) {
            if let Some(Arrival { at, port, frame, .. }) = self.arrivals.pop() {
                self.advance(at);
                self.arrive(port, &frame);
            }
        }
        self.advance(until);
        Ok(())
    }

    /// Runs the events of queues and packets on their way back up to `until`; the present
    /// never goes back. If the turn is over before, the rest waits for the next one.
    pub(crate) fn advance(&mut self, until: SwitchTime) {
        let until = self.now.max(until);
        if !self.copies.is_empty() {
            self.enqueue_copies();
        }
        loop {
            self.manager.run_until(until, &mut self.processor);
            if self.turn_is_over() {
                let next = self.next_event().unwrap_or(until);
                self.now = self.now.max(next.min(until));
                return;
            }
            match self.processor.loopback.pop(until) {
                Some((at, returning)) => self.come_back(returning, at),
                None => break,
            }
        }
        self.now = until;
    }

    /// Begins a turn: so many runs of ingress and egress may follow, and the one that is under way
    /// then is completed. Without a word there is no end to a turn.
    pub(crate) fn begin_turn(&mut self, passes: u64) {
        self.processor.passes_left = passes;
    }

    /// All runs of the turn have been used.
    pub(crate) fn turn_is_over(&self) -> bool {
        self.processor.turn_is_over()
    }

    /// Lets packets on their way back arrive from `now` on, if they are too late for the switch to
    /// catch up with. Tells whether they were.
    pub(crate) fn put_off_late_returns(&mut self, now: SwitchTime) -> bool {
        let next = self.processor.loopback.next_arrival();
        let are_late = next.is_some_and(|due| now.since(due) > MAX_LATE);
        if are_late {
            self.processor.loopback.put_off(now);
        }
        are_late
    }

    fn come_back(&mut self, returning: Returning, at: SwitchTime) {
        self.now = at;
        match returning {
            Returning::ToIngress(buffer) => {
                let forwarded = self.processor.ingress_again(buffer, at, &mut self.copies);
                self.forward(forwarded);
            }
            Returning::ToEgress(copy) => self.enqueue(copy),
        }
    }

    /// What has come of making machine code of the program; None if it has not been made yet.
    pub(crate) fn compilation(&mut self) -> Option<Result<(), String>> {
        let compilation = self.processor.pipeline.as_ref()?.compilation()?;
        Some(compilation.map_err(ToString::to_string))
    }

    /// Takes what the user should know and has not been told.
    pub fn take_notices(&mut self) -> Vec<String> {
        self.processor.take_notices()
    }

    /// The control plane has met something that the user should know.
    pub(crate) fn has_notices(&mut self) -> bool {
        self.processor.pipeline.as_mut().is_some_and(|pipeline| pipeline.notices().has_news())
    }

    /// Says how many more frames the network behind a port takes now.
    pub(crate) fn set_room(&mut self, port: u16, packets: usize) {
        self.manager.set_room(port, packets, self.now);
    }

    /// A frame arrives now.
    #[inline]
    pub(crate) fn arrive(&mut self, port: u16, frame: &[u8]) {
        let forwarded = self.processor.ingress(port, frame, self.now, &mut self.copies);
        self.forward(forwarded);
    }

    /// Queues what a run of ingress has left: as in BMv2, copies come before their packet.
    #[inline]
    fn forward(&mut self, forwarded: Option<Forwarded>) {
        if !self.copies.is_empty() {
            return self.forward_behind_copies(forwarded);
        }
        if let Some(forwarded) = forwarded {
            self.enqueue(forwarded);
        }
    }

    #[cold]
    #[inline(never)]
    fn forward_behind_copies(&mut self, forwarded: Option<Forwarded>) {
        self.copies.extend(forwarded);
        self.enqueue_copies();
    }

    /// Queues copies, as many as the turn lets.
    #[cold]
    fn enqueue_copies(&mut self) {
        while !self.turn_is_over() {
            let Some(copy) = self.copies.pop_front() else { return };
            self.enqueue(copy);
        }
    }

    #[inline]
    fn enqueue(&mut self, Forwarded { buffer, port, priority }: Forwarded) {
        let (length_bytes, now) = (buffer.length_bytes(), self.now);
        let processor = &mut self.processor;
        let queued = self.manager.enqueue(buffer, port, priority, length_bytes, now, processor);
        match queued {
            Ok(()) => {}
            Err(NotQueued::NoSuchPort(buffer)) => processor.egress_to_nowhere(buffer, port, now),
            Err(NotQueued::NoSuchQueue(buffer, queues)) => {
                processor.lose_without_queue(buffer, port, priority, queues, now);
            }
        }
    }

    /// Sends a frame to the program now, as received on the CPU port.
    pub fn packet_out(&mut self, frame: &[u8]) -> Result {
        let cpu_port = self.cpu_port.ok_or(SwitchError::NoCpuPort)?;
        self.arrive(cpu_port, frame);
        Ok(())
    }

    /// Who watches the switch.
    pub fn observer(&mut self) -> &mut Observer {
        &mut self.processor.observer
    }

    /// When the next event inside the switch is due.
    pub(crate) fn next_event(&self) -> Option<SwitchTime> {
        let events = [self.manager.next_event(), self.processor.loopback.next_arrival()];
        events.into_iter().flatten().min()
    }

    /// Swaps the frames that have left, in order, with an empty vector. Give them back with
    /// [`Switch::recycle`] for their memory's sake.
    pub fn take_departures(&mut self, empty: &mut Vec<Departure>) {
        std::mem::swap(&mut self.processor.outbox, empty);
    }

    /// Frames have left that nobody has taken.
    pub fn has_departures(&self) -> bool {
        !self.processor.outbox.is_empty()
    }

    /// Takes back frames that have been dealt with.
    pub fn recycle(&mut self, departures: &mut Vec<Departure>) {
        self.processor.recycle_departures(departures);
    }

    /// What the port did; the CPU port has statistics, too.
    pub fn port_statistics(&self, port: u16) -> Result<PortStatistics> {
        let egress_port = self.manager.port(port).ok_or_else(|| self.unknown_port(port))?;
        let traffic = &self.processor.traffic[usize::from(port)];
        Ok(PortStatistics {
            received: traffic.received,
            sent: traffic.sent,
            memory_dropped: egress_port.overflowed,
            queued: egress_port.queued(),
            on_wire_packets: egress_port.on_wire_packets(),
            receive_lost_packets: traffic.losses.received_packets,
            send_lost_packets: traffic.losses.sent_packets,
        })
    }

    /// Adds to the frames lost between the port and the network.
    pub(crate) fn count_losses(&mut self, port: u16, losses: Losses) {
        self.processor.traffic[usize::from(port)].losses += losses;
    }

    /// What became of frames inside the switch.
    pub fn statistics(&self) -> SwitchStatistics {
        let mut statistics = self.processor.statistics();
        for copy in &self.copies {
            statistics.returning.add(copy.buffer.length_bytes());
        }
        statistics
    }

    pub(crate) fn check_port(&self, port: u16) -> Result {
        if self.ports.iter().any(|config| config.port == port) || self.cpu_port == Some(port) {
            Ok(())
        } else {
            Err(self.unknown_port(port))
        }
    }

    fn check_queues(&self, queues: Queues) -> Result {
        let (port, queue) = match queues {
            Queues::All => return Ok(()),
            Queues::OfPort(port) => (port, 0),
            Queues::One { port, queue } => (port, queue),
        };
        let egress_port = self.manager.port(port).ok_or_else(|| self.unknown_port(port))?;
        if egress_port.has_queue(queue.into()) {
            return Ok(());
        }
        Err(SwitchError::UnknownQueue { port, queue, queues: egress_port.queue_count() })
    }

    fn unknown_port(&self, port: u16) -> SwitchError {
        let valid = self.ports.iter().map(|config| config.port).collect();
        SwitchError::UnknownPort { port, valid }
    }

    fn check_future(&self, at_ns: u64) -> Result<SwitchTime> {
        let at = SwitchTime::from_nanos(at_ns);
        if at < self.now {
            return Err(SwitchError::Past { at_ns, now_ns: self.now_ns() });
        }
        Ok(at)
    }
}

#[cfg(test)]
mod tests;
