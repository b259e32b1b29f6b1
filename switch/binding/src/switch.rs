//! The switch as Python sees it. Whatever waits or takes a lock runs without the GIL.

use std::os::fd::RawFd;
use std::sync::Arc;

use engine::{ControlQueues, Departure, IfAbsent, LiveSwitch, SharedSwitch, SwitchError, Warn};
use pipeline::{BigUint, Control, ControlError, Pipeline};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::errors::{
    from_config, from_control, from_interface, from_load, from_switch, EngineError, InvalidArgument,
};
use crate::ports::{PortConfig, PortStatistics, SwitchStatistics};

const LOGGER: &str = "p4abs_switch";

/// A digest's name and its fields.
type Digest<'py> = (String, Vec<Bound<'py, PyBytes>>);

/// A switch: ports with queues around a P4 program.
#[pyclass(frozen, module = "p4abs_switch._engine")]
#[derive(Debug)]
pub(crate) struct Switch {
    pub(crate) shared: Arc<SharedSwitch>,
    pub(crate) live: server::Live,
}

#[pymethods]
impl Switch {
    #[new]
    #[pyo3(signature = (ports, cpu_port=None))]
    fn new(ports: Vec<PortConfig>, cpu_port: Option<u16>) -> PyResult<Self> {
        let configs = ports.into_iter().map(|port| port.0).collect();
        let switch = engine::Switch::new(configs, cpu_port).map_err(from_config)?;
        let shared = SharedSwitch::new(switch)
            .map_err(|error| EngineError::new_err(format!("cannot make a switch: {error}")))?;
        Ok(Switch { shared: Arc::new(shared), live: server::Live::default() })
    }

    #[staticmethod]
    fn verify(py: Python<'_>, json: PyBackedBytes) -> PyResult<()> {
        py.detach(|| Pipeline::load(&json)).map(drop).map_err(from_load)
    }

    #[staticmethod]
    fn current_form(json: &[u8]) -> PyResult<String> {
        pipeline::current_form(json).map_err(from_load)
    }

    #[pyo3(signature = (json, machine_code=false))]
    fn load(&self, py: Python<'_>, json: PyBackedBytes, machine_code: bool) -> PyResult<()> {
        let load = || {
            let pipeline = Pipeline::load(&json)?;
            if machine_code {
                // Where there can be none, the program runs as instructions.
                let _ = pipeline.compile();
            }
            Ok(pipeline)
        };
        let pipeline = py.detach(load).map_err(from_load)?;
        py.detach(|| self.shared.replace(pipeline)).map_err(from_switch)
    }

    fn inject(&self, py: Python<'_>, port: u16, frame: PyBackedBytes, at_ns: u64) -> PyResult<()> {
        self.in_virtual_time(py, |switch| switch.inject(port, frame.to_vec(), at_ns))
    }

    fn run_until<'py>(
        &self,
        py: Python<'py>,
        at_ns: u64,
    ) -> PyResult<Vec<(u64, u16, Bound<'py, PyBytes>)>> {
        let mut departures = Vec::new();
        self.in_virtual_time(py, |switch| {
            switch.run_until(at_ns)?;
            switch.take_departures(&mut departures);
            Ok(())
        })?;
        let to_tuple = |departure: &Departure| {
            (departure.at_ns, departure.port, PyBytes::new(py, departure.frame()))
        };
        let tuples = departures.iter().map(to_tuple).collect();
        self.in_virtual_time(py, |switch| {
            switch.recycle(&mut departures);
            Ok(())
        })?;
        Ok(tuples)
    }

    #[pyo3(signature = (*, wait_for_interfaces=false))]
    fn start(&self, py: Python<'_>, wait_for_interfaces: bool) -> PyResult<()> {
        let if_absent = if wait_for_interfaces { IfAbsent::Wait } else { IfAbsent::Refuse };
        py.detach(|| {
            let mut live = self.live.lock();
            if live.is_some() {
                return Err(InvalidArgument::new_err("the switch has been started already"));
            }
            let started = LiveSwitch::start(Arc::clone(&self.shared), if_absent, logger());
            *live = Some(started.map_err(from_interface)?);
            Ok(())
        })
    }

    fn stop(&self, py: Python<'_>) {
        py.detach(|| drop(self.live.lock().take()));
    }

    fn wait_ended(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| {
            let ending = self.live.lock().as_ref().map(LiveSwitch::ending)?;
            ending.wait().err()
        })
    }

    fn set_port_up(&self, py: Python<'_>, port: u16, up: bool) -> PyResult<()> {
        py.detach(|| self.shared.set_port_up(port, up)).map_err(from_switch)
    }

    fn now_us(&self, py: Python<'_>) -> u64 {
        py.detach(|| self.shared.now_us())
    }

    fn packet_out(&self, py: Python<'_>, frame: PyBackedBytes) -> PyResult<()> {
        py.detach(|| self.shared.packet_out(&frame)).map_err(from_switch)
    }

    fn packet_in<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let frames = py
            .detach(|| self.shared.take(&self.shared.queues().packet_ins))
            .map_err(from_switch)?;
        Ok(to_bytes(py, &frames))
    }

    fn log_descriptor(&self) -> PyResult<RawFd> {
        Ok(self.shared.queues().log.descriptor()?)
    }

    fn digests<'py>(&self, py: Python<'py>) -> PyResult<Vec<Digest<'py>>> {
        let digests =
            py.detach(|| self.shared.take(&self.shared.queues().digests)).map_err(from_switch)?;
        Ok(digests.iter().map(|d| (d.name.to_string(), to_bytes(py, &d.fields))).collect())
    }

    fn log_messages(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        py.detach(|| self.shared.take(&self.shared.queues().log)).map_err(from_switch)
    }

    fn untaken(&self) -> [(&'static str, u64); 3] {
        let ControlQueues { packet_ins, digests, log } = self.shared.queues();
        [
            ("packet-ins", packet_ins.overflowed()),
            ("digests", digests.overflowed()),
            ("lines of the log", log.overflowed()),
        ]
    }

    fn registers_read(
        &self,
        py: Python<'_>,
        items: Vec<(String, usize)>,
    ) -> PyResult<Vec<BigUint>> {
        self.control(py, |control| control.registers_read(&items))
    }

    fn registers_write(
        &self,
        py: Python<'_>,
        items: Vec<(String, usize, BigUint)>,
    ) -> PyResult<()> {
        self.control(py, |control| control.registers_write(&items))
    }

    fn statistics(&self, py: Python<'_>) -> SwitchStatistics {
        py.detach(|| self.shared.statistics()).into()
    }

    fn port_statistics(&self, py: Python<'_>, port: u16) -> PyResult<PortStatistics> {
        py.detach(|| self.shared.port_statistics(port)).map(Into::into).map_err(from_switch)
    }
}

impl Switch {
    pub(crate) fn control<R: Send>(
        &self,
        py: Python<'_>,
        request: impl FnOnce(&mut Control<'_>) -> Result<R, ControlError> + Send,
    ) -> PyResult<R> {
        py.detach(|| self.shared.control(request)).map_err(from_switch)?.map_err(from_control)
    }

    fn in_virtual_time<R: Send>(
        &self,
        py: Python<'_>,
        request: impl FnOnce(&mut engine::Switch) -> Result<R, SwitchError> + Send,
    ) -> PyResult<R> {
        py.detach(|| self.shared.in_virtual_time(request)).map_err(from_switch)
    }
}

impl Drop for Switch {
    /// The switch's threads may be about to log: they must not wait for this thread's GIL.
    fn drop(&mut self) {
        Python::attach(|py| {
            self.stop(py);
            self.end_observation(py);
        });
    }
}

/// Values as Python's bytes.
pub(crate) fn to_bytes<'py>(py: Python<'py>, values: &[Vec<u8>]) -> Vec<Bound<'py, PyBytes>> {
    values.iter().map(|value| PyBytes::new(py, value)).collect()
}

/// Logs to Python's logger of the package.
pub(crate) fn logger() -> Warn {
    Arc::new(|message| {
        // None while the interpreter shuts down: nobody is left to be told.
        Python::try_attach(|py| {
            let warn = || -> PyResult<()> {
                let logger = py.import("logging")?.call_method1("getLogger", (LOGGER,))?;
                logger.call_method1("warning", ("%s", message))?;
                Ok(())
            };
            if let Err(error) = warn() {
                error.print(py);
            }
        });
    })
}
