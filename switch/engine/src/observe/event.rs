//! What happens to packets, and how it is shown.

use std::fmt;

use pipeline::TraceEvent;
use serde::Serialize;

/// Why a packet ended inside the switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DropReason {
    NoProgram,
    Ingress,
    Egress,
    NoSuchPort,
    /// Port 0, to which packets go for which the program chooses none.
    #[serde(rename = "no_such_port")]
    NoPortChosen,
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
            DropReason::NoPortChosen => {
                "nothing has set egress_spec, so it goes to port 0, which the switch does not have"
            }
            DropReason::NoSuchQueue => "the port has no queue of this priority",
            DropReason::NoReplicas => "the multicast group has no replicas",
            DropReason::Loopback => "too many packets are on their way back",
            DropReason::QueueFull => "the queue is full",
        })
    }
}
