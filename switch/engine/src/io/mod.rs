//! Linux interfaces as switch ports.

mod interface;
mod links;
mod offload;
mod raw;
mod sender;
mod sharers;
mod transmitter;
mod waker;

pub use interface::{Interface, InterfaceError};
pub(crate) use links::{Link, Links};
pub use offload::{Offload, Unrepairable, HEADER_BYTES as OFFLOAD_HEADER_BYTES};
pub(crate) use raw::Binding;
pub use raw::{Sent, SEND_BATCH};
pub use sender::FrameSender;
pub(crate) use waker::{wait, Waker};
