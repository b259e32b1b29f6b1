//! Linux interfaces as switch ports.

mod interface;
mod raw;
mod sender;
mod waker;

pub use interface::{Interface, InterfaceError};
pub use raw::{Sent, SEND_BATCH};
pub use sender::FrameSender;
pub(crate) use waker::{wait, Waker};
