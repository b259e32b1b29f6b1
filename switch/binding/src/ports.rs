//! Ports as Python sees them.

use std::num::NonZeroU64;

use engine::{Tally, MAX_QUEUES};
use pyo3::prelude::*;

use crate::errors::InvalidArgument;

/// One port of a switch.
#[pyclass(frozen, eq, hash, get_all, from_py_object, module = "p4abs_switch._engine")]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct PortConfig {
    port: u16,
    interface: Option<String>,
    rate_bps: Option<u64>,
    delay_ns: u64,
    memory_bytes: Option<u64>,
    queues: u8,
    through_qdisc: bool,
    ring_bytes: Option<u64>,
}

#[pymethods]
impl PortConfig {
    #[new]
    #[pyo3(signature = (
        port, interface=None, rate_bps=None, delay_ns=0, memory_bytes=None,
        queues=MAX_QUEUES.into(), through_qdisc=false, ring_bytes=None
    ))]
    // Python names its arguments.
    #[allow(clippy::too_many_arguments)]
    fn new(
        port: i128,
        interface: Option<String>,
        rate_bps: Option<i128>,
        delay_ns: i128,
        memory_bytes: Option<i128>,
        queues: i128,
        through_qdisc: bool,
        ring_bytes: Option<i128>,
    ) -> PyResult<Self> {
        let last_port = i128::from(engine::PORT_LIMIT - 1);
        let last = i128::from(u64::MAX);
        let rate = |value| checked("rate_bps", value, 1, i128::from(engine::MAX_RATE_BPS));
        let memory = |value| checked("memory_bytes", value, 0, last);
        let (least, most) = (engine::MIN_RING_BYTES.into(), engine::MAX_RING_BYTES.into());
        let ring = |value| checked("ring_bytes", value, least, most);
        Ok(PortConfig {
            port: checked("port", port, 0, last_port)? as u16,
            interface,
            rate_bps: rate_bps.map(rate).transpose()?,
            delay_ns: checked("delay_ns", delay_ns, 0, last)?,
            memory_bytes: memory_bytes.map(memory).transpose()?,
            queues: checked("queues", queues, 1, MAX_QUEUES.into())? as u8,
            through_qdisc,
            ring_bytes: ring_bytes.map(ring).transpose()?,
        })
    }

    fn __repr__(&self) -> String {
        format!("{self:?}")
    }
}

impl PortConfig {
    pub(crate) fn to_engine(&self) -> engine::PortConfig {
        engine::PortConfig {
            port: self.port,
            interface: self.interface.clone(),
            rate_bps: self.rate_bps.and_then(NonZeroU64::new),
            delay_ns: self.delay_ns,
            memory_bytes: self.memory_bytes,
            queues: self.queues,
            through_qdisc: self.through_qdisc,
            ring_bytes: self.ring_bytes,
        }
    }
}

impl From<engine::PortConfig> for PortConfig {
    fn from(config: engine::PortConfig) -> Self {
        PortConfig {
            port: config.port,
            interface: config.interface,
            rate_bps: config.rate_bps.map(NonZeroU64::get),
            delay_ns: config.delay_ns,
            memory_bytes: config.memory_bytes,
            queues: config.queues,
            through_qdisc: config.through_qdisc,
            ring_bytes: config.ring_bytes,
        }
    }
}

pub(crate) fn checked(name: &str, value: i128, first: i128, last: i128) -> PyResult<u64> {
    if (first..=last).contains(&value) {
        Ok(value as u64)
    } else {
        let message = format!("{name} {value} is out of range; valid are {first} to {last}");
        Err(InvalidArgument::new_err(message))
    }
}

/// What one port did since start.
#[pyclass(frozen, get_all, module = "p4abs_switch._engine")]
#[derive(Debug, Clone)]
pub(crate) struct PortStatistics {
    rx_packets: u64,
    rx_bytes: u64,
    tx_packets: u64,
    tx_bytes: u64,
    memory_dropped_packets: u64,
    memory_dropped_bytes: u64,
    queued_packets: u64,
    queued_bytes: u64,
    on_wire_packets: u64,
    receive_lost_packets: u64,
    send_lost_packets: u64,
}

#[pymethods]
impl PortStatistics {
    fn __repr__(&self) -> String {
        format!("{self:?}")
    }
}

impl From<engine::PortStatistics> for PortStatistics {
    fn from(statistics: engine::PortStatistics) -> Self {
        let engine::PortStatistics {
            received,
            sent,
            memory_dropped,
            queued,
            on_wire_packets,
            receive_lost_packets,
            send_lost_packets,
        } = statistics;
        let (rx_packets, rx_bytes) = pair(received);
        let (tx_packets, tx_bytes) = pair(sent);
        let (memory_dropped_packets, memory_dropped_bytes) = pair(memory_dropped);
        let (queued_packets, queued_bytes) = pair(queued);
        PortStatistics {
            rx_packets,
            rx_bytes,
            tx_packets,
            tx_bytes,
            memory_dropped_packets,
            memory_dropped_bytes,
            queued_packets,
            queued_bytes,
            on_wire_packets,
            receive_lost_packets,
            send_lost_packets,
        }
    }
}

/// What became of frames inside the switch since start.
#[pyclass(frozen, get_all, module = "p4abs_switch._engine")]
#[derive(Debug, Clone)]
pub(crate) struct SwitchStatistics {
    program_dropped_packets: u64,
    program_dropped_bytes: u64,
    no_such_port_packets: u64,
    no_such_port_bytes: u64,
    no_such_queue_packets: u64,
    no_such_queue_bytes: u64,
    flushed_packets: u64,
    flushed_bytes: u64,
    copied_packets: u64,
    copied_bytes: u64,
    loopback_dropped_packets: u64,
    loopback_dropped_bytes: u64,
    returning_packets: u64,
    returning_bytes: u64,
    lengthened_bytes: u64,
    shortened_bytes: u64,
}

#[pymethods]
impl SwitchStatistics {
    fn __repr__(&self) -> String {
        format!("{self:?}")
    }
}

impl From<engine::SwitchStatistics> for SwitchStatistics {
    fn from(statistics: engine::SwitchStatistics) -> Self {
        let engine::SwitchStatistics {
            program_dropped,
            no_such_port,
            no_such_queue,
            flushed,
            copied,
            loopback_dropped,
            returning,
            lengthened_bytes,
            shortened_bytes,
        } = statistics;
        let (program_dropped_packets, program_dropped_bytes) = pair(program_dropped);
        let (no_such_port_packets, no_such_port_bytes) = pair(no_such_port);
        let (no_such_queue_packets, no_such_queue_bytes) = pair(no_such_queue);
        let (flushed_packets, flushed_bytes) = pair(flushed);
        let (copied_packets, copied_bytes) = pair(copied);
        let (loopback_dropped_packets, loopback_dropped_bytes) = pair(loopback_dropped);
        let (returning_packets, returning_bytes) = pair(returning);
        SwitchStatistics {
            program_dropped_packets,
            program_dropped_bytes,
            no_such_port_packets,
            no_such_port_bytes,
            no_such_queue_packets,
            no_such_queue_bytes,
            flushed_packets,
            flushed_bytes,
            copied_packets,
            copied_bytes,
            loopback_dropped_packets,
            loopback_dropped_bytes,
            returning_packets,
            returning_bytes,
            lengthened_bytes,
            shortened_bytes,
        }
    }
}

fn pair(tally: Tally) -> (u64, u64) {
    (tally.packets, tally.bytes)
}
