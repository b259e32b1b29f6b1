//! What can happen to a packet, and how it is shown.

use serde::{Serialize, Serializer};
use std::fmt;

/// One thing that happened to a packet. Values are hexadecimal, as wide as their type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum TraceEvent {
    /// The parser entered a state.
    ParserState {
        /// Its name.
        state: String,
    },
    /// The parser extracted a header.
    Extract {
        /// Its name.
        header: String,
        /// Its fields' values.
        fields: TraceFields,
    },
    /// The parser ended with an error.
    ParserError {
        /// Its name.
        error: String,
    },
    /// A pipeline begins.
    Pipeline {
        /// `ingress` or `egress`.
        pipeline: String,
    },
    /// A condition between tables was evaluated.
    Condition {
        /// The compiler's name of it.
        condition: String,
        /// File, line and text in the source.
        source: Option<String>,
        /// Whether it holds.
        holds: bool,
    },
    /// A table was applied.
    Table {
        /// Its name.
        table: String,
        /// The key's fields and what the packet has there.
        key: TraceFields,
        /// The entry that matched, by the key's fields; none: a miss.
        entry: Option<TraceFields>,
        /// The entry's priority, where entries have one.
        priority: Option<i32>,
        /// The entry's action or the default one.
        action: Option<String>,
        /// The action's arguments by its parameters.
        arguments: TraceFields,
    },
    /// A statement of the source begins.
    Statement {
        /// File, line and text.
        source: String,
    },
    /// A statement has changed a field.
    Assign {
        /// The field.
        field: String,
        /// What it is now.
        value: String,
    },
    /// A checksum was computed.
    Checksum {
        /// Its field.
        field: String,
        /// What it should be.
        value: String,
        /// Whether it is that, if it is verified; none: it becomes so.
        holds: Option<bool>,
    },
    /// A register was read.
    RegisterRead {
        /// Its name.
        register: String,
        /// Which element.
        index: u64,
        /// What was read; none: there is no such element.
        value: Option<String>,
    },
    /// A register was written.
    RegisterWrite {
        /// Its name.
        register: String,
        /// Which element.
        index: u64,
        /// What was written; none: there is no such element.
        value: Option<String>,
    },
    /// A counter counted the packet.
    Count {
        /// Its name.
        counter: String,
        /// Which element.
        index: u64,
        /// Packets so far, with this one; none: there is no such element.
        packets: Option<u64>,
    },
    /// A meter measured the packet.
    Meter {
        /// Its name.
        meter: String,
        /// Which element.
        index: u64,
        /// 0: green, 1: yellow, 2: red; none: there is no such element.
        color: Option<u64>,
    },
    /// The program logs a line.
    Log {
        /// The line.
        message: String,
    },
    /// The program cuts the frame off.
    Truncate {
        /// To this length.
        bytes: u64,
    },
    /// The program sends a message to the control plane.
    Digest {
        /// Its name.
        digest: String,
    },
}

/// Names and values in the program's order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TraceFields(pub Vec<(String, String)>);

impl Serialize for TraceFields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl fmt::Display for TraceFields {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, (name, value)) in self.0.iter().enumerate() {
            let comma = if position == 0 { "" } else { ", " };
            write!(formatter, "{comma}{name}={value}")?;
        }
        Ok(())
    }
}

fn show_hit(
    formatter: &mut fmt::Formatter<'_>,
    entry: Option<&TraceFields>,
    priority: Option<i32>,
) -> fmt::Result {
    match (entry, priority) {
        (None, _) => write!(formatter, "misses: "),
        (Some(entry), None) => write!(formatter, "hits ({entry}): "),
        (Some(entry), Some(priority)) => {
            write!(formatter, "hits ({entry}) of priority {priority}: ")
        }
    }
}

impl fmt::Display for TraceEvent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let element = |name: &str, index: &u64| format!("{name}[{index}]");
        let or_none = |value: &Option<String>| value.clone().unwrap_or("out of bounds".to_string());
        match self {
            TraceEvent::ParserState { state } => write!(formatter, "parser state {state}"),
            TraceEvent::Extract { header, fields } => {
                write!(formatter, "extract {header} ({fields})")
            }
            TraceEvent::ParserError { error } => write!(formatter, "parser error {error}"),
            TraceEvent::Pipeline { pipeline } => write!(formatter, "{pipeline}"),
            TraceEvent::Condition { condition, source, holds } => {
                write!(formatter, "condition {} is {holds}", source.as_ref().unwrap_or(condition))
            }
            TraceEvent::Table { table, key, entry, priority, action, arguments } => {
                write!(formatter, "table {table} ({key}) ")?;
                show_hit(formatter, entry.as_ref(), *priority)?;
                match action {
                    Some(action) => write!(formatter, "{action}({arguments})"),
                    None => write!(formatter, "no action"),
                }
            }
            TraceEvent::Statement { source } => write!(formatter, "statement {source}"),
            TraceEvent::Assign { field, value } => write!(formatter, "{field} = {value}"),
            TraceEvent::Checksum { field, value, holds: None } => {
                write!(formatter, "checksum {field} = {value}")
            }
            TraceEvent::Checksum { field, value, holds: Some(holds) } => {
                let verdict = if *holds { "is right" } else { "is wrong" };
                write!(formatter, "checksum {field} {verdict}: {value} computed")
            }
            TraceEvent::RegisterRead { register, index, value } => {
                write!(formatter, "read {} = {}", element(register, index), or_none(value))
            }
            TraceEvent::RegisterWrite { register, index, value } => {
                write!(formatter, "write {} = {}", element(register, index), or_none(value))
            }
            TraceEvent::Count { counter, index, packets } => {
                let packets = packets.map(|packets| format!("{packets} packets"));
                write!(formatter, "count {} = {}", element(counter, index), or_none(&packets))
            }
            TraceEvent::Meter { meter, index, color } => {
                let color = color.map(|color| color.to_string());
                write!(formatter, "meter {} = color {}", element(meter, index), or_none(&color))
            }
            TraceEvent::Log { message } => write!(formatter, "log {message}"),
            TraceEvent::Truncate { bytes } => write!(formatter, "truncate to {bytes} bytes"),
            TraceEvent::Digest { digest } => write!(formatter, "digest {digest}"),
        }
    }
}
