//! What packets wait for between ingress and egress, and on their way back into the switch.
//!
//! Pure, in virtual time and for packets of any type: the traffic manager owns the egress ports,
//! each with its queues, its link and the wire behind it, and calls [`Egress`] when a packet's turn
//! has come.

mod egress_port;
mod egress_queue;
mod link;
mod loopback;
mod pacer;
mod round_robin;
mod traffic_manager;

pub(crate) use loopback::Loopback;
pub(crate) use traffic_manager::{Dequeued, Egress, NotQueued, TrafficManager};
