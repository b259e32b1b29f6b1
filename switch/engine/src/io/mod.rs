//! Linux interfaces as switch ports.

mod interface;
mod raw;
mod waker;

pub use interface::InterfaceError;
pub(crate) use interface::{Interface, Losses};
pub use raw::{PacketSocket, SEND_BATCH};
pub(crate) use waker::{wait, Waker};
