//! P4Runtime as Python sees it: messages in and out, as bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use p4runtime::{
    Access, BatchStatus, Error, PipelineRequest, ReadRequest, Reading, WriteRequest, Writing,
};
use parking_lot::Mutex;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::control::TableEntry;
use crate::switch::Switch;

create_exception!(_engine, RequestRefused, PyException, "A code of google.rpc, and why.");

/// Role, own ids (none: all) and those of other roles with these roles' names.
type GivenAccess = (String, Option<BTreeSet<u32>>, BTreeMap<u32, String>);

/// A message and the status of a batch.
type Status<'py> = Option<(String, Bound<'py, PyBytes>)>;

fn refused(Error { code, message }: Error) -> PyErr {
    RequestRefused::new_err((code as i32, message))
}

fn access((role, own, of_others): GivenAccess) -> Access {
    Access { role, own, of_others }
}

fn status(py: Python<'_>, status: BatchStatus) -> Status<'_> {
    status.map(|(message, status)| (message, PyBytes::new(py, &status)))
}

macro_rules! request {
    ($(#[$doc:meta])* $name:ident of $message:ident) => {
        $(#[$doc])*
        #[pyclass(frozen, module = "p4abs_switch._engine")]
        #[derive(Debug)]
        pub(crate) struct $name($message);

        #[pymethods]
        impl $name {
            #[new]
            fn new(py: Python<'_>, message: PyBackedBytes) -> PyResult<Self> {
                py.detach(|| $message::decode(&message)).map($name).map_err(refused)
            }

            #[getter]
            fn device_id(&self) -> u64 {
                self.0.sender().device_id
            }

            #[getter]
            fn role(&self) -> &str {
                self.0.sender().role
            }

            #[getter]
            fn election_id(&self) -> Option<u128> {
                self.0.sender().election_id
            }
        }
    };
}

request! {
    /// A Write.
    Write of WriteRequest
}
request! {
    /// A Read.
    Read of ReadRequest
}
request! {
    /// A config that is to be verified, saved or committed.
    PipelineChange of PipelineRequest
}

/// What a Read finds, in messages.
#[pyclass(frozen, module = "p4abs_switch._engine")]
#[derive(Debug)]
pub(crate) struct Found {
    p4runtime: Arc<p4runtime::P4Runtime>,
    reading: Mutex<Reading>,
}

#[pymethods]
impl Found {
    fn take<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let messages = py.detach(|| self.p4runtime.read_on(&mut self.reading.lock()));
        Ok(messages.map_err(refused)?.iter().map(|message| PyBytes::new(py, message)).collect())
    }

    #[getter]
    fn is_complete(&self) -> bool {
        self.reading.lock().is_complete()
    }

    fn status<'py>(&self, py: Python<'py>) -> Status<'py> {
        status(py, self.reading.lock().status())
    }
}

/// A Write under way.
#[pyclass(frozen, module = "p4abs_switch._engine")]
#[derive(Debug)]
pub(crate) struct Written {
    p4runtime: Arc<p4runtime::P4Runtime>,
    writing: Mutex<Writing>,
}

#[pymethods]
impl Written {
    fn go_on(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.p4runtime.write_on(&mut self.writing.lock())).map_err(refused)
    }

    #[getter]
    fn is_complete(&self) -> bool {
        self.writing.lock().is_complete()
    }

    fn status<'py>(&self, py: Python<'py>) -> Status<'py> {
        status(py, self.writing.lock().status())
    }
}

/// A switch as its controllers see it.
#[pyclass(frozen, module = "p4abs_switch._engine")]
#[derive(Debug)]
pub(crate) struct P4Runtime(Arc<p4runtime::P4Runtime>);

#[pymethods]
impl P4Runtime {
    #[new]
    fn new(switch: &Switch) -> Self {
        P4Runtime(Arc::new(p4runtime::P4Runtime::new(Arc::clone(&switch.shared))))
    }

    fn write(&self, py: Python<'_>, request: &Write, access: GivenAccess) -> PyResult<Written> {
        let access = self::access(access);
        let writing = py.detach(|| self.0.write(&request.0, access)).map_err(refused)?;
        Ok(Written { p4runtime: Arc::clone(&self.0), writing: Mutex::new(writing) })
    }

    #[pyo3(signature = (request, access=None))]
    fn read(&self, py: Python<'_>, request: &Read, access: Option<GivenAccess>) -> PyResult<Found> {
        let access = access.map(self::access);
        let reading = py.detach(|| self.0.read(&request.0, access)).map_err(refused)?;
        Ok(Found { p4runtime: Arc::clone(&self.0), reading: Mutex::new(reading) })
    }

    fn change(&self, py: Python<'_>, request: &PipelineChange) -> PyResult<()> {
        py.detach(|| self.0.set_config(&request.0)).map_err(refused)
    }

    fn commit(&self, py: Python<'_>, config: PyBackedBytes) -> PyResult<()> {
        py.detach(|| self.0.commit(&config)).map_err(refused)
    }

    #[pyo3(signature = (json, p4info=None))]
    fn run_without_p4info(
        &self,
        py: Python<'_>,
        json: PyBackedBytes,
        p4info: Option<PyBackedBytes>,
    ) -> PyResult<Option<String>> {
        let run = || self.0.run_without_p4info(&json, p4info.as_deref());
        Ok(py.detach(run).map_err(refused)?.map(|reason| reason.message))
    }

    fn start_again(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.0.start_again()).map_err(refused)
    }

    fn config<'py>(&self, py: Python<'py>, response_type: i32) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.config(response_type))
    }

    #[getter]
    fn json<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.json())
    }

    #[getter]
    fn loads(&self) -> u64 {
        self.0.loads()
    }

    #[getter]
    fn is_running(&self) -> bool {
        self.0.is_running()
    }

    #[getter]
    fn has_empty_p4info(&self) -> bool {
        self.0.has_empty_p4info()
    }

    fn packet_out(&self, py: Python<'_>, packet: PyBackedBytes) -> PyResult<()> {
        py.detach(|| self.0.packet_out(&packet)).map_err(refused)
    }

    fn packet_in<'py>(&self, py: Python<'py>, frame: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.0.packet_in(frame).map_err(refused)?))
    }

    fn digest<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        fields: Vec<Vec<u8>>,
    ) -> Option<(u32, Bound<'py, PyBytes>)> {
        let digest = pipeline::Digest { name: name.into(), fields };
        let (id, data) = self.0.digest(&digest)?;
        Some((id, PyBytes::new(py, &data)))
    }

    fn digest_configs<'py>(&self, py: Python<'py>) -> Vec<(u32, Bound<'py, PyBytes>)> {
        let configs = self.0.digest_configs();
        configs.iter().map(|(id, config)| (*id, PyBytes::new(py, config))).collect()
    }

    fn check_digest(&self, digest_id: u32) -> PyResult<()> {
        self.0.check_digest(digest_id).map_err(refused)
    }

    fn table_entry<'py>(
        &self,
        py: Python<'py>,
        table: &str,
        entry: &TableEntry,
    ) -> Option<Bound<'py, PyBytes>> {
        self.0.table_entry(table, &entry.0).map(|message| PyBytes::new(py, &message))
    }
}
