//! Packet sockets, and rings shared with the kernel: packet(7)'s TPACKET_V2 to receive, AF_XDP to
//! send. Frames that are too long for a ring's slots, as they stand for several, come by the socket.
//!
//! The engine's only unsafe code. Its invariants:
//! - a ring is mapped for the whole life of its [`ReceiveRing`], and nothing else refers to it;
//! - a ring slot is read only while its status says it is ours, and handed back by a release store
//!   after the last use of its bytes ([`ReceiveRing::receive`] takes `&mut self`);
//! - offsets and lengths that the kernel writes are checked against the slot before use;
//! - pointers given to a system call outlive the call;
//! - a sending buffer is ours or in one of the rings, and the buffers' memory outlives the socket
//!   ([`XdpTransmitter`] owns both).
#![allow(unsafe_code)]

mod ring;
mod socket;
mod xdp;

pub use self::xdp::Sent;
pub(crate) use self::xdp::XdpTransmitter;
pub(crate) use ring::{Content, ReceiveRing};
pub use socket::SEND_BATCH;
pub(crate) use socket::{mtu_bytes, Binding, Device, PacketSocket};
