//! Traces: what every packet goes through, as lines of text or JSON.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;

use serde::Serialize;

use super::event::Event;
use super::filter::{Candidates, TraceFilter};
use super::packet::TracedPacket;
use super::spool::{Batch, Spool, SpoolWriter};
use crate::time::{SwitchTime, NS_PER_S};
use crate::warn::Warn;

/// What is kept for somebody who looks on.
const WATCHED_BYTES: usize = 1 << 20;

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
    /// Only so many packets a second, the first that come; none: all.
    pub packets_per_second: Option<u64>,
    /// What packets must have done.
    pub filter: TraceFilter,
}

#[derive(Serialize)]
struct Record<'a> {
    time_ns: u64,
    packet: u64,
    #[serde(skip_serializing_if = "is_original")]
    copy: u32,
    #[serde(flatten)]
    event: &'a Event,
}

fn is_original(copy: &u32) -> bool {
    *copy == 0
}

/// A trace under way. Dropping it completes the file.
#[derive(Debug)]
pub(crate) struct Trace {
    options: TraceOptions,
    packets: u64,
    bytes: u64,
    is_complete: bool,
    /// It tells of packets with higher numbers.
    after: u64,
    turns: Turns,
    candidates: Option<Candidates>,
    line: String,
    spool: Arc<Spool>,
    _writer: Option<SpoolWriter>,
}

impl Trace {
    /// A trace that is kept until it is taken.
    pub(crate) fn to_memory(options: TraceOptions) -> Trace {
        Trace::to_spool(options, Spool::default())
    }

    /// A trace for somebody who looks on: what is not taken soon is lost.
    pub(crate) fn to_watcher(options: TraceOptions) -> Trace {
        Trace::to_spool(options, Spool::holding(WATCHED_BYTES))
    }

    fn to_spool(options: TraceOptions, spool: Spool) -> Trace {
        Trace {
            packets: 0,
            bytes: 0,
            is_complete: false,
            after: 0,
            turns: Turns::default(),
            candidates: Candidates::of(&options.filter),
            line: String::new(),
            spool: Arc::new(spool),
            _writer: None,
            options,
        }
    }

    /// It tells of packets that come after that one.
    pub(crate) fn begin_after(&mut self, number: u64) {
        self.after = number;
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

    /// A packet arrives: whether the trace tells of it.
    pub(crate) fn wants(&mut self, port: u16, at: SwitchTime) -> bool {
        let wanted = self.options.ports.as_ref().is_none_or(|ports| ports.contains(&port));
        let full = self.options.packets.is_some_and(|packets| self.packets >= packets);
        if !wanted || full || self.is_complete {
            return false;
        }
        if !self.options.packets_per_second.is_none_or(|most| self.turns.take(most, at)) {
            return false;
        }
        let left_out = std::mem::take(&mut self.turns.left_out);
        self.append(&left_out_line(self.options.format, left_out));
        self.packets += 1;
        true
    }

    /// Lines may still come.
    #[inline]
    pub(crate) fn goes_on(&self) -> bool {
        !self.is_complete
    }

    /// Something happens to a packet.
    pub(crate) fn record(&mut self, packet: TracedPacket, time_ns: u64, event: &Event) {
        if self.is_complete || packet.number <= self.after {
            return;
        }
        self.line.clear();
        match self.options.format {
            TraceFormat::Text => {
                let (seconds, rest_ns) = (time_ns / NS_PER_S, time_ns % NS_PER_S);
                // Writing to a string cannot fail.
                let _ = writeln!(self.line, "{seconds}.{rest_ns:09} {packet} {event}");
            }
            TraceFormat::JsonLines => {
                let TracedPacket { number, copy, .. } = packet;
                let record = Record { time_ns, packet: number, copy, event };
                self.line += &serde_json::to_string(&record).expect("records have text keys");
                self.line.push('\n');
            }
        }
        let line = std::mem::take(&mut self.line);
        match &mut self.candidates {
            None => self.append(&line),
            Some(candidates) => {
                if let Some(lines) = candidates.add(packet.number, event, &line) {
                    self.append(&lines);
                }
            }
        }
        self.line = line;
    }

    fn append(&mut self, lines: &str) {
        let bytes = self.bytes + lines.len() as u64;
        match self.options.bytes {
            Some(most) if bytes > most => self.complete(),
            _ if lines.is_empty() => (),
            _ if self.spool.append(&[lines.as_bytes()]) => self.bytes = bytes,
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

/// The packets of a second that a trace tells of.
#[derive(Debug, Default)]
struct Turns {
    second: u64,
    taken: u64,
    left_out: u64,
}

impl Turns {
    /// A packet comes: whether it is one of the `most` of its second.
    fn take(&mut self, most: u64, at: SwitchTime) -> bool {
        let second = at.nanos() / NS_PER_S;
        if second != self.second {
            (self.second, self.taken) = (second, 0);
        }
        let has_turn = self.taken < most;
        match has_turn {
            true => self.taken += 1,
            false => self.left_out += 1,
        }
        has_turn
    }
}

/// A line about packets that came too fast.
fn left_out_line(format: TraceFormat, packets: u64) -> String {
    match (packets, format) {
        (0, _) => String::new(),
        (_, TraceFormat::Text) => {
            format!("{packets} packets came too fast and are left out here\n")
        }
        (_, TraceFormat::JsonLines) => {
            format!("{{\"event\":\"left_out\",\"packets\":{packets}}}\n")
        }
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
                warn("the trace ends here: it has reached its maximum size")
            }
            Ok(()) => return,
        }
        self.output = None;
    }
}
