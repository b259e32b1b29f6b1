//! A switch's P4Runtime server: whose request it is, what travels over controllers' streams, and gRPC.
//!
//! # Floors
//!
//! From the ground up; each uses only what stands below it.
//!
//! | floor | what it is |
//! |---|---|
//! | `panics` | what a panic says |
//! | `outbox` | what waits to be sent to a controller |
//! | `arbitration` | what a role may do, who is its primary, and who may write |
//! | `digest_lists` | digests on their way to controllers |
//! | `controllers` | the controllers of a device: all of the above |
//! | `port_table` | ports, which come and go |
//! | `device` | [`Device`]: answers requests, at once |
//! | `ports` | the service for ports, queues and traces |
//! | `calls` | requests that take long, each complete before the next one begins |
//! | `streams` | answers that go on: controllers' streams and traces |
//! | `grpc` | calls by their names, messages and errors as gRPC has them |
//! | `parts` | what brings the engine's news to controllers, and must not die |
//! | `connections` | who connects |
//! | `serve` | [`Server`]: all of it, in a thread of its own |
#![forbid(unsafe_code)]

mod arbitration;
mod calls;
mod connections;
mod controllers;
mod device;
mod digest_lists;
mod grpc;
mod outbox;
mod panics;
mod parts;
mod port_table;
mod ports;
mod serve;
mod streams;
#[cfg(test)]
mod tests;

pub use connections::listen;
pub use device::{Device, Listener};
pub use outbox::Outbox;
pub use port_table::{add_port, queues, remove_port, CaptureFiles, LaterPorts, Live, Ports};
pub use serve::{OnDeath, Server, Tls};
