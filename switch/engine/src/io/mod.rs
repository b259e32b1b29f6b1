//! Linux interfaces as switch ports.

mod interface;
mod packet_socket;
mod waker;

pub(crate) use interface::Interface;
pub use interface::InterfaceError;
pub(crate) use packet_socket::PacketSocket;
pub(crate) use waker::{wait, Waker};
