//! Linux interfaces as switch ports.

mod interface;
mod packet_socket;
mod waker;

pub(crate) use interface::Interface;
pub use interface::InterfaceError;
pub use packet_socket::{PacketSocket, SEND_BATCH};
pub(crate) use waker::{wait, Waker};
