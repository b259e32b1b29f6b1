//! Ports as Python sees them.

use std::num::NonZeroU64;

use engine::{MAX_QUEUES, MAX_WEIGHT};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::{from_config, InvalidArgument};

/// One port of a switch.
#[pyclass(frozen, eq, hash, from_py_object, module = "p4abs_switch._engine")]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct PortConfig(pub(crate) engine::PortConfig);

#[pymethods]
impl PortConfig {
    #[new]
    #[pyo3(signature = (
        port, interface=None, rate_bps=None, delay_ns=0, memory_bytes=None,
        queues=MAX_QUEUES.into(), through_qdisc=false, ring_bytes=None, weights=vec![]
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
        weights: Vec<i128>,
    ) -> PyResult<Self> {
        let last_port = i128::from(engine::PORT_LIMIT - 1);
        let last = i128::from(u64::MAX);
        let rate = |value| checked("rate_bps", value, 1, i128::from(engine::MAX_RATE_BPS));
        let memory = |value| checked("memory_bytes", value, 0, last);
        let (least, most) = (engine::MIN_RING_BYTES.into(), engine::MAX_RING_BYTES.into());
        let ring = |value| checked("ring_bytes", value, least, most);
        let weight =
            |value| checked("weight", value, 1, MAX_WEIGHT.into()).map(|value| value as u8);
        let config = engine::PortConfig {
            port: checked("port", port, 0, last_port)? as u16,
            interface,
            rate_bps: rate_bps.map(rate).transpose()?.and_then(NonZeroU64::new),
            delay_ns: checked("delay_ns", delay_ns, 0, last)?,
            memory_bytes: memory_bytes.map(memory).transpose()?,
            queues: checked("queues", queues, 1, MAX_QUEUES.into())? as u8,
            through_qdisc,
            ring_bytes: ring_bytes.map(ring).transpose()?,
            weights: weights.into_iter().map(weight).collect::<PyResult<_>>()?,
        };
        config.check_weights().map_err(from_config)?;
        Ok(PortConfig(config))
    }

    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.weights)
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

macro_rules! getters {
    ($($field:ident: $type:ty,)*) => {
        #[pymethods]
        impl PortConfig {
            $(#[getter]
            fn $field(&self) -> $type {
                self.0.$field.clone()
            })*
        }
    };
}

getters! {
    port: u16,
    interface: Option<String>,
    rate_bps: Option<NonZeroU64>,
    delay_ns: u64,
    memory_bytes: Option<u64>,
    queues: u8,
    through_qdisc: bool,
    ring_bytes: Option<u64>,
}

pub(crate) fn checked(name: &str, value: i128, first: i128, last: i128) -> PyResult<u64> {
    if (first..=last).contains(&value) {
        Ok(value as u64)
    } else {
        let message = format!("{name} {value} is out of range; valid are {first} to {last}");
        Err(InvalidArgument::new_err(message))
    }
}

/// An account of the engine in whole numbers: each by its name here and its place there.
macro_rules! account {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $($place:ident).+,)* }) => {
        $(#[$doc])*
        #[pyclass(frozen, get_all, module = "p4abs_switch._engine")]
        #[derive(Debug, Clone)]
        pub(crate) struct $name {
            $($field: u64,)*
        }

        #[pymethods]
        impl $name {
            fn __repr__(&self) -> String {
                format!("{self:?}")
            }
        }

        impl From<engine::$name> for $name {
            fn from(account: engine::$name) -> Self {
                $name { $($field: account.$($place).+,)* }
            }
        }
    };
}

account! {
    /// What one port did since start.
    PortStatistics {
        rx_packets: received.packets,
        rx_bytes: received.bytes,
        tx_packets: sent.packets,
        tx_bytes: sent.bytes,
        memory_dropped_packets: memory_dropped.packets,
        memory_dropped_bytes: memory_dropped.bytes,
        queued_packets: queued.packets,
        queued_bytes: queued.bytes,
        on_wire_packets: on_wire_packets,
        receive_lost_packets: receive_lost_packets,
        send_lost_packets: send_lost_packets,
    }
}

account! {
    /// What became of frames inside the switch since start.
    SwitchStatistics {
        program_dropped_packets: program_dropped.packets,
        program_dropped_bytes: program_dropped.bytes,
        no_such_port_packets: no_such_port.packets,
        no_such_port_bytes: no_such_port.bytes,
        no_such_queue_packets: no_such_queue.packets,
        no_such_queue_bytes: no_such_queue.bytes,
        flushed_packets: flushed.packets,
        flushed_bytes: flushed.bytes,
        copied_packets: copied.packets,
        copied_bytes: copied.bytes,
        loopback_dropped_packets: loopback_dropped.packets,
        loopback_dropped_bytes: loopback_dropped.bytes,
        returning_packets: returning.packets,
        returning_bytes: returning.bytes,
        lengthened_bytes: lengthened_bytes,
        shortened_bytes: shortened_bytes,
    }
}
