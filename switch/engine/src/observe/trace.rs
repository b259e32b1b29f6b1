//! Traces: what every packet goes through, as lines of text or JSON.

use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::sync::Arc;

use pipeline::TraceEvent;
use serde::Serialize;

use super::spool::{Batch, Spool, SpoolWriter};
use crate::time::{SwitchTime, NS_PER_S};
use crate::warn::Warn;

/// How a trace is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TraceFormat {
    /// For reading: time in seconds, packet, event.
    #[default]
    Text,
    /// One object per line.
    JsonLines,
}

/// What a trace tells of, and how.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TraceOptions {
    /// How it is written.
    pub format: TraceFormat,
    /// Only packets that arrive at these ports; none: at any.
    pub ports: Option<Vec<u16>>,
    /// Only so many packets; none: all.
    pub packets: Option<u64>,
    /// Only so many bytes of lines, and one that says so; none: as many as there are.
    pub bytes: Option<u64>,
}

/// Why a packet ended inside the switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DropReason {
    NoProgram,
    Ingress,
    Egress,
    NoSuchPort,
    NoSuchQueue,
    NoReplicas,
    QueueFull,
    Loopback,
}

/// What the switch around the program does with a packet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum SwitchEvent {
    Arrive { port: u16, bytes: usize },
    Drop { reason: DropReason },
    Enqueue { port: u16, depth_packets: u32 },
    Dequeue { port: u16, depth_packets: u32, waited_us: u64 },
    Emit { port: u16, bytes: usize },
    Clone { session: u16, copies: usize },
    Multicast { group: u16, copies: usize },
    Resubmit,
    Recirculate,
}

/// Anything that happens to a packet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum Event {
    Switch(SwitchEvent),
    Program(TraceEvent),
}

#[derive(Serialize)]
struct Record<'a> {
    time_ns: u64,
    packet: u64,
    #[serde(flatten)]
    event: &'a Event,
}

/// A trace under way. Dropping it completes the file.
#[derive(Debug)]
pub(crate) struct Trace {
    options: TraceOptions,
    packets: u64,
    bytes: u64,
    is_complete: bool,
    line: String,
    spool: Arc<Spool>,
    _writer: Option<SpoolWriter>,
}

impl Trace {
    /// A trace that is kept until it is taken.
    pub(crate) fn to_memory(options: TraceOptions) -> Trace {
        Trace {
            options,
            packets: 0,
            bytes: 0,
            is_complete: false,
            line: String::new(),
            spool: Arc::new(Spool::default()),
            _writer: None,
        }
    }

    /// A trace that a thread of its own writes to `output`.
    pub(crate) fn to_writer(
        options: TraceOptions,
        output: Box<dyn Write + Send>,
        warn: Warn,
    ) -> io::Result<Trace> {
        let mut trace = Trace::to_memory(options);
        let mut lines = Lines { format: trace.options.format, output: Some(output) };
        let spool = Arc::clone(&trace.spool);
        let write = move |batch: &Batch, warn: &Warn| lines.write(batch, warn);
        trace._writer = Some(SpoolWriter::start("trace", spool, warn, write)?);
        Ok(trace)
    }

    /// Takes the lines that have come since the last call; none if a thread writes them.
    pub(crate) fn take_lines(&mut self) -> String {
        let mut batch = Batch::default();
        self.spool.take(&mut batch);
        let mut lines = String::from_utf8(batch.bytes).expect("lines are text");
        lines += &lost(self.options.format, batch.lost_records);
        lines
    }

    /// A packet arrives: its number, unless the trace does not tell of it.
    pub(crate) fn arrive(&mut self, port: u16, bytes: usize, at: SwitchTime) -> Option<u64> {
        let wanted = self.options.ports.as_ref().is_none_or(|ports| ports.contains(&port));
        let full = self.options.packets.is_some_and(|packets| self.packets >= packets);
        if !wanted || full || self.is_complete {
            return None;
        }
        self.packets += 1;
        self.record(self.packets, at, Event::Switch(SwitchEvent::Arrive { port, bytes }));
        Some(self.packets)
    }

    /// Lines may still come.
    #[inline]
    pub(crate) fn goes_on(&self) -> bool {
        !self.is_complete
    }

    /// Something happens to a packet.
    pub(crate) fn record(&mut self, packet: u64, at: SwitchTime, event: Event) {
        if self.is_complete {
            return;
        }
        let time_ns = at.nanos();
        self.line.clear();
        match self.options.format {
            TraceFormat::Text => {
                let (seconds, rest_ns) = (time_ns / NS_PER_S, time_ns % NS_PER_S);
                // Writing to a string cannot fail.
                let _ = write!(self.line, "{seconds}.{rest_ns:09} #{packet} {event}");
            }
            TraceFormat::JsonLines => {
                let record = Record { time_ns, packet, event: &event };
                self.line += &serde_json::to_string(&record).expect("records have text keys");
            }
        }
        let bytes = self.bytes + self.line.len() as u64 + 1;
        match self.options.bytes {
            Some(most) if bytes > most => self.complete(),
            _ if self.spool.append(&[self.line.as_bytes(), b"\n"]) => self.bytes = bytes,
            _ => (),
        }
    }

    fn complete(&mut self) {
        self.is_complete = true;
        self.spool.complete(match self.options.format {
            TraceFormat::Text => b"the trace ends here\n",
            TraceFormat::JsonLines => b"{\"event\":\"end\"}\n",
        });
    }
}

/// A line about lines that are missing.
fn lost(format: TraceFormat, lines: u64) -> String {
    match (lines, format) {
        (0, _) => String::new(),
        (_, TraceFormat::Text) => format!("{lines} lines are missing here\n"),
        (_, TraceFormat::JsonLines) => format!("{{\"event\":\"lost\",\"lines\":{lines}}}\n"),
    }
}

/// The writer's side; the output is given up after an error.
struct Lines {
    format: TraceFormat,
    output: Option<Box<dyn Write + Send>>,
}

impl Lines {
    fn write(&mut self, batch: &Batch, warn: &Warn) {
        let Some(output) = &mut self.output else { return };
        let lost = lost(self.format, batch.lost_records);
        let written = output
            .write_all(&batch.bytes)
            .and_then(|()| output.write_all(lost.as_bytes()))
            .and_then(|()| output.flush());
        match written {
            Err(error) => warn(&format!("the trace ends here: {error}")),
            Ok(()) if batch.is_complete => {
                warn("the trace ends here: it has as many bytes as it may")
            }
            Ok(()) => return,
        }
        self.output = None;
    }
}

impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Switch(event) => write!(formatter, "{event}"),
            Event::Program(event) => write!(formatter, "{event}"),
        }
    }
}

impl fmt::Display for SwitchEvent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SwitchEvent::Arrive { port, bytes } => {
                write!(formatter, "arrives at port {port}, {bytes} bytes")
            }
            SwitchEvent::Drop { reason } => write!(formatter, "is dropped: {reason}"),
            SwitchEvent::Enqueue { port, depth_packets } => {
                write!(formatter, "enters the queue of port {port} behind {depth_packets} packets")
            }
            SwitchEvent::Dequeue { port, depth_packets, waited_us } => write!(
                formatter,
                "leaves the queue of port {port} after {waited_us} us, {depth_packets} packets stay"
            ),
            SwitchEvent::Emit { port, bytes } => {
                write!(formatter, "leaves by port {port}, {bytes} bytes")
            }
            SwitchEvent::Clone { session, copies } => {
                write!(formatter, "is cloned for session {session}, {copies} copies")
            }
            SwitchEvent::Multicast { group, copies } => {
                write!(formatter, "is multicast to group {group}, {copies} copies")
            }
            SwitchEvent::Resubmit => write!(formatter, "is resubmitted"),
            SwitchEvent::Recirculate => write!(formatter, "is recirculated"),
        }
    }
}

impl fmt::Display for DropReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            DropReason::NoProgram => "no program is loaded",
            DropReason::Ingress => "by ingress",
            DropReason::Egress => "by egress",
            DropReason::NoSuchPort => "there is no such port",
            DropReason::NoSuchQueue => "the port has no queue of this priority",
            DropReason::NoReplicas => "the multicast group has no replicas",
            DropReason::Loopback => "too many packets are on their way back",
            DropReason::QueueFull => "the queue is full",
        })
    }
}
