//! Linux interfaces as switch ports.

mod interface;
mod packet_socket;
mod waker;

pub use interface::InterfaceError;
pub(crate) use interface::{Interface, Losses};
pub use packet_socket::{PacketSocket, SEND_BATCH};
pub(crate) use waker::{wait, Waker};
