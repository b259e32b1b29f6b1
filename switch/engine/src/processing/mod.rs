//! The program at work: runs packets through ingress and egress and keeps the account of them.
//!
//! A packet's way: [`Processor::ingress`] leaves it, or its copies, to the switch, which puts them
//! into the queues; the traffic manager calls back through [`crate::queue::Egress`] when its turn
//! has come, and then it leaves, ends, or goes back into the switch.

mod copies;
mod egress;
mod ingress;
mod pool;
mod processor;
mod transit;

pub(crate) use pool::Buffer;
pub(crate) use processor::Processor;
pub use transit::Departure;
pub(crate) use transit::{Forwarded, Returning};
