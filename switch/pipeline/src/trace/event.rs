//! What can happen to a packet, and how it is shown.

use serde::{Serialize, Serializer};
use std::fmt;

/// One thing that happened to a packet. Values are hexadecimal, as wide as their type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs)] // field names say what they hold
pub enum TraceEvent {
    /// The parser entered a state.
    ParserState { state: String },
    /// The parser extracted a header.
    Extract { header: String, fields: TraceFields },
    /// The parser ended with an error.
    ParserError { error: String },
    /// A pipeline begins.
    Pipeline { pipeline: String },
    /// A condition between tables was evaluated.
    Condition { condition: String, source: Option<String>, holds: bool },
    /// A table was applied. `entry` and `priority` are those that matched, if any; `action` may be the
    /// default one.
    Table {
        table: String,
        key: TraceFields,
        entry: Option<TraceFields>,
        priority: Option<i32>,
        action: Option<String>,
        arguments: TraceFields,
    },
    /// A statement of the source begins.
    Statement { source: String },
    /// A statement has changed a field.
    Assign { field: String, value: String },
    /// A checksum was computed. `holds`: whether the verified one is right; none: it was updated.
    Checksum { field: String, value: String, holds: Option<bool> },
    /// A register was read; without a value, there is no such element.
    RegisterRead { register: String, index: u64, value: Option<String> },
    /// A register was written; without a value, there is no such element.
    RegisterWrite { register: String, index: u64, value: Option<String> },
    /// A counter counted the packet. `packets`: the total so far; none: there is no such element.
    Count { counter: String, index: u64, packets: Option<u64> },
    /// A meter measured the packet. `color`: 0 green, 1 yellow, 2 red; none: there is no such element.
    Meter { meter: String, index: u64, color: Option<u64> },
    /// The program logs a line.
    Log { message: String },
    /// The program cuts the frame off.
    Truncate { bytes: u64 },
    /// The program sends a message to the control plane.
    Digest { digest: String },
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
