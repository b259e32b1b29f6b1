//! Who watches the switch: traces and captures. Without them, every call here ends at once.

use std::io::{self, Write};
use std::path::Path;

use pipeline::Pipeline;

use super::pcap::{Capture, Captured, Direction};
use super::trace::{Event, SwitchEvent, Trace, TraceOptions};
use crate::config::PortConfig;
use crate::time::SwitchTime;
use crate::warn::Warn;

/// The number of a packet that the trace tells of. Copies of a packet have its number.
pub(crate) type PacketNumber = Option<u64>;

/// The trace and the capture under way.
#[derive(Debug)]
pub struct Observer {
    ports: Vec<PortConfig>,
    under_way: Observation,
    /// The time since the Unix epoch at which the switch's time was 0.
    epoch_ns: u64,
}

/// A trace and a capture. Dropping it completes their files.
#[derive(Debug, Default)]
pub struct Observation {
    trace: Option<Trace>,
    capture: Option<Capture>,
}

impl Observer {
    /// Watches nothing yet.
    pub(crate) fn new(ports: Vec<PortConfig>) -> Observer {
        Observer { ports, under_way: Observation::default(), epoch_ns: 0 }
    }

    /// Starts a trace that is kept for [`Observer::take_lines`].
    pub fn trace(&mut self, options: TraceOptions) {
        self.under_way.trace = Some(Trace::to_memory(options));
    }

    /// Starts a trace that a thread of its own writes to `output`.
    pub fn trace_to(
        &mut self,
        options: TraceOptions,
        output: Box<dyn Write + Send>,
        warn: Warn,
    ) -> io::Result<()> {
        self.under_way.trace = Some(Trace::to_writer(options, output, warn)?);
        Ok(())
    }

    /// Takes the lines of the trace that have come since the last call.
    pub fn take_lines(&mut self) -> String {
        self.under_way.trace.as_mut().map_or_else(String::new, Trace::take_lines)
    }

    /// Starts to capture frames in files of `directory`, two for every port of `captured`.
    pub fn capture(&mut self, directory: &Path, captured: Captured, warn: Warn) -> io::Result<()> {
        self.under_way.capture = Some(Capture::start(directory, captured, &self.ports, warn)?);
        Ok(())
    }

    /// Ends trace and capture.
    #[must_use = "dropping it waits for the disk"]
    pub fn end(&mut self) -> Observation {
        std::mem::take(&mut self.under_way)
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
        self.under_way.trace.as_mut()?.arrive(port, frame.len(), at)
    }

    /// Whether what the program does with a packet is told.
    #[inline]
    pub(crate) fn traces(&self, number: PacketNumber) -> bool {
        number.is_some() && self.under_way.trace.as_ref().is_some_and(Trace::goes_on)
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
        if let (Some(number), Some(trace)) = (number, &mut self.under_way.trace) {
            trace.record(number, at, Event::Switch(event));
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
        if let (Some(number), Some(trace)) = (number, &mut self.under_way.trace) {
            for event in program.take_trace() {
                trace.record(number, at, Event::Program(event));
            }
        }
    }
}
