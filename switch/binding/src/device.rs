//! A device as Python sees it: messages in and out, as bytes.

use std::mem;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;

use p4runtime::{BatchStatus, Error};
use parking_lot::Mutex;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use server::{LaterPorts, Outbox, Tls};

use crate::errors::{reason, refused, InvalidArgument};
use crate::ports::checked;
use crate::runtime::IdleEntry;
use crate::switch::{logger, to_bytes, Switch};

/// Certificates and key of a server, and certificates that clients' must be signed by.
type GivenTls = (Vec<u8>, Vec<u8>, Option<Vec<u8>>);

/// A message and the status of a batch.
type Status<'py> = Option<(String, Bound<'py, PyBytes>)>;

fn status(py: Python<'_>, status: BatchStatus) -> Status<'_> {
    status.map(|(message, status)| (message, PyBytes::new(py, &status)))
}

/// A switch under its P4Runtime device id.
#[pyclass(frozen, module = "p4abs_switch._engine")]
#[derive(Debug)]
pub(crate) struct Device(Arc<server::Device>);

#[pymethods]
impl Device {
    #[new]
    #[pyo3(signature = (device_id, switch, queues=engine::MAX_QUEUES, through_qdisc=false, captures=None))]
    fn new(
        device_id: u64,
        switch: &Switch,
        queues: u8,
        through_qdisc: bool,
        captures: Option<PathBuf>,
    ) -> Self {
        let later = LaterPorts { queues, through_qdisc, captures };
        let (engine, live) = (Arc::clone(&switch.shared), Arc::clone(&switch.live));
        Device(Arc::new(server::Device::new(device_id, engine, live, later, logger())))
    }

    #[getter]
    fn device_id(&self) -> u64 {
        self.0.id
    }

    fn write<'py>(&self, py: Python<'py>, request: PyBackedBytes) -> PyResult<Status<'py>> {
        let failed = py.detach(|| {
            let mut writing = self.0.write(&request)?;
            while !writing.is_complete() {
                self.0.p4runtime.write_on(&mut writing)?;
            }
            Ok(self.0.finish(&writing))
        });
        Ok(status(py, failed.map_err(refused)?))
    }

    fn read<'py>(
        &self,
        py: Python<'py>,
        request: PyBackedBytes,
    ) -> PyResult<(Vec<Bound<'py, PyBytes>>, Status<'py>)> {
        let found = py.detach(|| {
            let (mut reading, mut messages) = (self.0.read(&request)?, Vec::new());
            while !reading.is_complete() {
                messages.extend(self.0.p4runtime.read_on(&mut reading)?);
            }
            messages.extend(self.0.p4runtime.read_on(&mut reading)?);
            Ok((messages, reading.status()))
        });
        let (messages, failed) = found.map_err(refused)?;
        Ok((to_bytes(py, &messages), status(py, failed)))
    }

    fn set_config(&self, py: Python<'_>, request: PyBackedBytes) -> PyResult<()> {
        let change = || self.0.change(self.0.config_change(&request)?);
        py.detach(change).map_err(refused)
    }

    fn get_config<'py>(
        &self,
        py: Python<'py>,
        request: PyBackedBytes,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let config = py.detach(|| self.0.config(&request)).map_err(refused)?;
        Ok(PyBytes::new(py, &config))
    }

    fn capabilities<'py>(
        &self,
        py: Python<'py>,
        request: PyBackedBytes,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let told = py.detach(|| self.0.capabilities(&request)).map_err(refused)?;
        Ok(PyBytes::new(py, &told))
    }

    fn commit(&self, py: Python<'_>, config: PyBackedBytes) -> PyResult<()> {
        self.change(py, || self.0.p4runtime.commit(&config))
    }

    #[pyo3(signature = (json, p4info=None))]
    fn run_without_p4info(
        &self,
        py: Python<'_>,
        json: PyBackedBytes,
        p4info: Option<PyBackedBytes>,
    ) -> PyResult<Option<String>> {
        let run = || self.0.p4runtime.run_without_p4info(&json, p4info.as_deref());
        Ok(self.change(py, run)?.map(|reason| reason.message))
    }

    fn start_again(&self, py: Python<'_>) -> PyResult<()> {
        self.change(py, || self.0.p4runtime.start_again())
    }

    #[getter]
    fn json<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.p4runtime.json())
    }

    #[getter]
    fn loads(&self) -> u64 {
        self.0.p4runtime.loads()
    }

    #[getter]
    fn is_running(&self) -> bool {
        self.0.p4runtime.is_running()
    }

    #[pyo3(signature = (number, interface, captured=false))]
    fn add_port(
        &self,
        py: Python<'_>,
        number: i128,
        interface: &str,
        captured: bool,
    ) -> PyResult<Option<(PathBuf, PathBuf)>> {
        let last = i128::from(engine::PORT_LIMIT - 1);
        let number = checked("port", number, 0, last)?.into();
        py.detach(|| self.0.ports.add(number, interface, captured)).map_err(refused)
    }

    fn fail(&self, py: Python<'_>, reason: &str) {
        py.detach(|| self.0.fail(reason));
    }

    fn enter(&self, py: Python<'_>) -> PyResult<ControllerStream> {
        let stream = py.detach(|| self.0.enter()).map_err(refused)?;
        Ok(ControllerStream { device: Arc::clone(&self.0), stream })
    }

    fn deliver_packets(&self, py: Python<'_>, frames: Vec<Vec<u8>>) {
        py.detach(|| self.0.deliver_packets(&frames));
    }

    fn deliver_digests(&self, py: Python<'_>, digests: Vec<(String, Vec<Vec<u8>>)>) {
        let digest = |(name, fields): (String, _)| pipeline::Digest { name: name.into(), fields };
        let digests: Vec<_> = digests.into_iter().map(digest).collect();
        py.detach(|| self.0.deliver_digests(&digests));
    }

    fn report_idle(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.0.report_idle(None)).map_err(refused)
    }
}

impl Device {
    fn change<R: Send>(
        &self,
        py: Python<'_>,
        change: impl FnOnce() -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        let changed = py.detach(|| {
            let changed = change()?;
            self.0.adopt_program();
            Ok(changed)
        });
        changed.map_err(refused)
    }
}

/// A controller's stream without gRPC.
#[pyclass(frozen, module = "p4abs_switch._engine")]
#[derive(Debug)]
pub(crate) struct ControllerStream {
    device: Arc<server::Device>,
    stream: Arc<Outbox>,
}

#[pymethods]
impl ControllerStream {
    fn receive(&self, py: Python<'_>, request: PyBackedBytes) -> PyResult<()> {
        py.detach(|| self.device.receive(&self.stream, &request)).map_err(refused)
    }

    fn take<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        match self.stream.error() {
            Some(error) => Err(refused(error)),
            None => Ok(to_bytes(py, &self.stream.take())),
        }
    }

    fn leave(&self, py: Python<'_>) {
        py.detach(|| self.device.leave(&self.stream));
    }
}

/// Tells Python of a program's news.
struct Listener(Py<PyAny>);

impl Listener {
    fn call<'py>(&self, py: Python<'py>, name: &str, news: impl IntoPyObject<'py>) {
        let told = self.0.bind(py).getattr(name).and_then(|method| method.call1((news,)));
        if let Err(error) = told {
            error.write_unraisable(py, None);
        }
    }
}

impl server::Listener for Listener {
    fn digests(&self, digests: &[pipeline::Digest]) {
        Python::attach(|py| {
            let digest =
                |digest: &pipeline::Digest| (digest.name.to_string(), to_bytes(py, &digest.fields));
            self.call(py, "digests", digests.iter().map(digest).collect::<Vec<_>>());
        });
    }

    fn idle(&self, entries: &[(String, pipeline::TableEntry)]) {
        Python::attach(|py| {
            let entry = |(table, entry): &(String, pipeline::TableEntry)| {
                (table.clone(), IdleEntry(entry.clone()))
            };
            self.call(py, "idle", entries.iter().map(entry).collect::<Vec<_>>());
        });
    }
}

/// Addresses that are listened at, until they are served or closed.
#[pyclass(frozen, module = "p4abs_switch._engine")]
#[derive(Debug)]
pub(crate) struct Listening {
    listeners: Mutex<Vec<TcpListener>>,
    #[pyo3(get)]
    port: u16,
}

#[pymethods]
impl Listening {
    #[new]
    fn new(py: Python<'_>, host: &str, port: u16) -> PyResult<Self> {
        let listeners = py.detach(|| server::listen(host, port));
        let (listeners, port) = listeners.map_err(|error| PyOSError::new_err(reason(&error)))?;
        Ok(Listening { listeners: Mutex::new(listeners), port })
    }

    fn close(&self) {
        self.listeners.lock().clear();
    }
}

/// A device that is served over gRPC.
#[pyclass(frozen, module = "p4abs_switch._engine")]
#[derive(Debug)]
pub(crate) struct Server(server::Server);

#[pymethods]
impl Server {
    #[new]
    #[pyo3(signature = (device, listening, on_death, tls=None, listener=None))]
    fn new(
        py: Python<'_>,
        device: &Device,
        listening: &Listening,
        on_death: Py<PyAny>,
        tls: Option<GivenTls>,
        listener: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let listeners = mem::take(&mut *listening.listeners.lock());
        let tls = tls.map(|(chain, key, roots)| Tls { chain, key, roots });
        let listener = listener.map(|told| Arc::new(Listener(told)) as Arc<dyn server::Listener>);
        let on_death: server::OnDeath = Box::new(move |reason| {
            Python::attach(|py| {
                if let Err(error) = on_death.call1(py, (reason,)) {
                    error.write_unraisable(py, None);
                }
            });
        });
        let device = Arc::clone(&device.0);
        let start = || server::Server::start(device, listeners, tls, listener, on_death);
        let server = py.detach(start);
        server.map(Server).map_err(InvalidArgument::new_err)
    }

    fn stop(&self, py: Python<'_>, reason: &str) {
        py.detach(|| self.0.stop(reason));
    }
}

impl Drop for Server {
    /// The server's thread may be about to log: it must not wait for this thread's GIL.
    fn drop(&mut self) {
        Python::attach(|py| self.stop(py, "the switch has been ended"));
    }
}
