//! Ports and queues of a switch that runs.

use std::num::NonZeroU64;

use engine::{QueueLimit, Queues, PORT_LIMIT};
use pyo3::prelude::*;

use crate::errors::{from_port, from_switch, InvalidArgument};
use crate::ports::{checked, PortConfig};
use crate::switch::Switch;

#[pymethods]
impl Switch {
    fn ports(&self, py: Python<'_>) -> Vec<(PortConfig, bool)> {
        let states = py.detach(|| self.shared.port_states());
        states.into_iter().map(|state| (PortConfig(state.config), state.is_up)).collect()
    }

    fn add_port(&self, py: Python<'_>, config: PortConfig) -> PyResult<()> {
        py.detach(|| server::add_port(&self.shared, &self.live, config.0)).map_err(from_port)
    }

    fn remove_port(&self, py: Python<'_>, port: i128) -> PyResult<()> {
        let port = port_number(port)?;
        py.detach(|| server::remove_port(&self.shared, &self.live, port)).map_err(from_port)
    }

    #[pyo3(signature = (packets, port=None, queue=None))]
    fn set_queue_depth(
        &self,
        py: Python<'_>,
        packets: i128,
        port: Option<i128>,
        queue: Option<i128>,
    ) -> PyResult<()> {
        let packets = checked("packets", packets, 0, u64::MAX.into())?;
        self.limit_queues(py, port, queue, QueueLimit::Depth { packets })
    }

    #[pyo3(signature = (packets_per_second, port=None, queue=None))]
    fn set_queue_rate(
        &self,
        py: Python<'_>,
        packets_per_second: i128,
        port: Option<i128>,
        queue: Option<i128>,
    ) -> PyResult<()> {
        let rate_pps = checked("packets_per_second", packets_per_second, 0, u64::MAX.into())?;
        let packets_per_second = NonZeroU64::new(rate_pps);
        self.limit_queues(py, port, queue, QueueLimit::Rate { packets_per_second })
    }
}

impl Switch {
    fn limit_queues(
        &self,
        py: Python<'_>,
        port: Option<i128>,
        queue: Option<i128>,
        limit: QueueLimit,
    ) -> PyResult<()> {
        let queues = queues(port, queue)?;
        py.detach(|| self.shared.limit_queues(queues, limit)).map_err(from_switch)
    }
}

fn port_number(port: i128) -> PyResult<u16> {
    checked("port", port, 0, i128::from(PORT_LIMIT - 1)).map(|port| port as u16)
}

fn queues(port: Option<i128>, queue: Option<i128>) -> PyResult<Queues> {
    let number = |name, value| checked(name, value, 0, u64::MAX.into()).map(u128::from);
    let port = port.map(|port| number("port", port)).transpose()?;
    let queue = queue.map(|queue| number("queue", queue)).transpose()?;
    server::queues(port, queue).map_err(|error| InvalidArgument::new_err(error.message))
}
