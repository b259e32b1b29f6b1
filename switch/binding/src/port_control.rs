//! Ports and queues of a switch that runs.

use std::num::NonZeroU64;

use engine::{QueueLimit, Queues, MAX_QUEUES, PORT_LIMIT};
use pyo3::prelude::*;

use crate::errors::{from_port, from_switch, InvalidArgument};
use crate::ports::{checked, PortConfig};
use crate::switch::Switch;

#[pymethods]
impl Switch {
    fn ports(&self, py: Python<'_>) -> Vec<(PortConfig, bool)> {
        let states = py.detach(|| self.shared.port_states());
        states.into_iter().map(|state| (state.config.into(), state.is_up)).collect()
    }

    fn add_port(&self, py: Python<'_>, config: PortConfig) -> PyResult<()> {
        let config = config.to_engine();
        let add = || match &*self.live.lock() {
            Some(live) => live.add_port(config),
            None => Ok(self.shared.add_port(config)?),
        };
        py.detach(add).map_err(from_port)
    }

    fn remove_port(&self, py: Python<'_>, port: i128) -> PyResult<()> {
        let port = port_number(port)?;
        let remove = || match &*self.live.lock() {
            Some(live) => live.remove_port(port),
            None => Ok(self.shared.remove_port(port)?),
        };
        py.detach(remove).map_err(from_port)
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
    let queue_number =
        |queue| checked("queue", queue, 0, i128::from(MAX_QUEUES - 1)).map(|queue| queue as u8);
    match (port, queue) {
        (None, None) => Ok(Queues::All),
        (Some(port), None) => Ok(Queues::OfPort(port_number(port)?)),
        (Some(port), Some(queue)) => {
            Ok(Queues::One { port: port_number(port)?, queue: queue_number(queue)? })
        }
        (None, Some(queue)) => {
            Err(InvalidArgument::new_err(format!("queue {queue} of which port?")))
        }
    }
}
