//! Who watches the switch: traces and captures. Without them, every call here ends at once.

use std::io::{self, Write};
use std::path::Path;

use pipeline::Pipeline;

use super::event::{Event, SwitchEvent};
use super::packet::{Copies, PacketNumber, TracedPacket};
use super::pcap::{Capture, Captured, Direction};
use super::trace::{Trace, TraceOptions};
use crate::config::PortConfig;
use crate::time::SwitchTime;
use crate::warn::Warn;

/// The most traces at a time: that with which the switch was started, and those of who looks on.
const MAX_TRACES: usize = 8;

/// The place of the trace with which the switch was started.
const FIRST: usize = 0;

/// The traces and the capture under way.
#[derive(Debug)]
pub struct Observer {
    ports: Vec<PortConfig>,
    under_way: Observation,
    /// There are traces.
    is_traced: bool,
    /// How many packets traces have told of.
    packets: u64,
    copies: Copies,
    /// The time since the Unix epoch at which the switch's time was 0.
    epoch_ns: u64,
}

/// Traces and a capture. Dropping it completes their files.
#[derive(Debug, Default)]
pub struct Observation {
    traces: [Option<Trace>; MAX_TRACES],
    capture: Option<Capture>,
}

/// A trace of somebody who looks on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Watch(usize);

impl Observer {
    /// Watches nothing yet.
    pub(crate) fn new(ports: Vec<PortConfig>) -> Observer {
        Observer {
            ports,
            under_way: Observation::default(),
            is_traced: false,
            packets: 0,
            copies: Copies::default(),
            epoch_ns: 0,
        }
    }

    /// Starts a trace that is kept for [`Observer::take_lines`].
    pub fn trace(&mut self, options: TraceOptions) {
        self.begin(FIRST, Trace::to_memory(options));
    }

    /// Starts a trace that a thread of its own writes to `output`.
    pub fn trace_to(
        &mut self,
        options: TraceOptions,
        output: Box<dyn Write + Send>,
        warn: Warn,
    ) -> io::Result<()> {
        self.begin(FIRST, Trace::to_writer(options, output, warn)?);
        Ok(())
    }

    /// Takes the lines of the trace that have come since the last call.
    pub fn take_lines(&mut self) -> String {
        self.under_way.traces[FIRST].as_mut().map_or_else(String::new, Trace::take_lines)
    }

    /// Starts a trace for somebody who looks on, beside others; none: there are as many as there may be.
    /// Little is kept until it is taken.
    pub fn watch(&mut self, options: TraceOptions) -> Option<Watch> {
        let later = FIRST + 1..MAX_TRACES;
        let place = later.into_iter().find(|&place| self.under_way.traces[place].is_none())?;
        self.begin(place, Trace::to_watcher(options));
        Some(Watch(place))
    }

    /// Takes the lines that have come since the last call; none: no more will come.
    pub fn take_watched(&mut self, watch: Watch) -> Option<String> {
        let trace = self.under_way.traces[watch.0].as_mut()?;
        let lines = trace.take_lines();
        (trace.goes_on() || !lines.is_empty()).then_some(lines)
    }

    /// Ends the trace of somebody who looks on.
    pub fn end_watch(&mut self, watch: Watch) {
        self.under_way.traces[watch.0] = None;
        self.is_traced = self.under_way.traces.iter().any(Option::is_some);
    }

    fn begin(&mut self, place: usize, mut trace: Trace) {
        // What is under way already is not told of from its middle on.
        trace.begin_after(self.packets);
        self.under_way.traces[place] = Some(trace);
        self.is_traced = true;
    }

    /// Starts to capture frames in files of `directory`, two for every port of `captured`.
    pub fn capture(&mut self, directory: &Path, captured: Captured, warn: Warn) -> io::Result<()> {
        self.under_way.capture = Some(Capture::start(directory, captured, &self.ports, warn)?);
        Ok(())
    }

    /// Ends traces and capture.
    #[must_use = "dropping it waits for the disk"]
    pub fn end(&mut self) -> Observation {
        self.is_traced = false;
        std::mem::take(&mut self.under_way)
    }

    /// The numbers of the ports that are there.
    pub(crate) fn ports(&self) -> impl Iterator<Item = u16> + '_ {
        self.ports.iter().map(|config| config.port)
    }

    /// A port is there from now on.
    pub(crate) fn add_port(&mut self, config: PortConfig) {
        if let Some(capture) = &mut self.under_way.capture {
            capture.add(&config);
        }
        self.ports.push(config);
    }

    /// A port is there no more.
    pub(crate) fn remove_port(&mut self, port: u16) {
        if let Some(capture) = &mut self.under_way.capture {
            capture.remove(port);
        }
        self.ports.retain(|config| config.port != port);
    }

    pub(crate) fn set_epoch(&mut self, epoch_ns: u64) {
        self.epoch_ns = epoch_ns;
    }

    /// A frame comes in.
    #[inline]
    pub(crate) fn receive(&mut self, port: u16, frame: &[u8], at: SwitchTime) -> PacketNumber {
        if let Some(capture) = &self.under_way.capture {
            capture.record(port, Direction::In, self.epoch_ns.wrapping_add(at.nanos()), frame);
        }
        if !self.is_traced {
            return None;
        }
        self.arrive(port, frame, at)
    }

    #[cold]
    fn arrive(&mut self, port: u16, frame: &[u8], at: SwitchTime) -> PacketNumber {
        let mut traces = 0;
        for (place, trace) in self.under_way.traces.iter_mut().enumerate() {
            let wants = trace.as_mut().is_some_and(|trace| trace.wants(port, at));
            traces |= u8::from(wants) << place;
        }
        if traces == 0 {
            return None;
        }
        self.packets += 1;
        let packet = Some(TracedPacket { number: self.packets, copy: 0, traces });
        self.record(packet, at, SwitchEvent::Arrive { port, bytes: frame.len() });
        packet
    }

    /// A packet is copied: the number of the copy.
    pub(crate) fn copy(&mut self, original: PacketNumber) -> PacketNumber {
        original.map(|packet| self.copies.add(packet))
    }

    /// Whether what the program does with a packet is told.
    #[inline]
    pub(crate) fn traces(&self, number: PacketNumber) -> bool {
        let goes_on = |packet: TracedPacket| self.traces_of(packet).any(Trace::goes_on);
        number.is_some_and(goes_on)
    }

    /// A frame has gone out.
    #[inline]
    pub(crate) fn send(&mut self, number: PacketNumber, port: u16, frame: &[u8], at: SwitchTime) {
        if let Some(capture) = &self.under_way.capture {
            capture.record(port, Direction::Out, self.epoch_ns.wrapping_add(at.nanos()), frame);
        }
        self.record(number, at, SwitchEvent::Emit { port, bytes: frame.len() });
    }

    /// Something happens to a packet.
    #[inline]
    pub(crate) fn record(&mut self, number: PacketNumber, at: SwitchTime, event: SwitchEvent) {
        if let Some(packet) = number {
            self.tell(packet, at, &Event::Switch(event));
        }
    }

    /// The program has run on a packet.
    #[inline]
    pub(crate) fn record_run(
        &mut self,
        number: PacketNumber,
        at: SwitchTime,
        program: &mut Pipeline,
    ) {
        if let Some(packet) = number {
            for event in program.take_trace() {
                self.tell(packet, at, &Event::Program(event));
            }
        }
    }

    fn tell(&mut self, packet: TracedPacket, at: SwitchTime, event: &Event) {
        let at_ns = self.epoch_ns.wrapping_add(at.nanos());
        for (place, trace) in self.under_way.traces.iter_mut().enumerate() {
            if let Some(trace) = trace.as_mut().filter(|_| packet.traces >> place & 1 == 1) {
                trace.record(packet, at_ns, event);
            }
        }
    }

    fn traces_of(&self, packet: TracedPacket) -> impl Iterator<Item = &Trace> {
        let traces = self.under_way.traces.iter().enumerate();
        traces.filter_map(move |(place, trace)| {
            trace.as_ref().filter(|_| packet.traces >> place & 1 == 1)
        })
    }
}
