//! A trace of somebody who looks on, as Python sees it.

use std::sync::Arc;

use engine::{SharedSwitch, TraceFilter, TraceOptions, Watch};
use parking_lot::Mutex;
use pyo3::prelude::*;

use crate::errors::{InUse, UnknownObject};
use crate::switch::Switch;
use crate::trace::format_named;

/// Lines about what packets go through, until it is ended or freed.
#[pyclass(frozen, module = "p4abs_switch._engine")]
#[derive(Debug)]
pub(crate) struct Watcher {
    shared: Arc<SharedSwitch>,
    /// None: it has been ended.
    watch: Mutex<Option<Watch>>,
}

#[pymethods]
impl Watcher {
    fn take(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| {
            let watch = (*self.watch.lock())?;
            self.shared.observe(|observer| observer.take_watched(watch))
        })
    }

    fn end(&self, py: Python<'_>) {
        py.detach(|| {
            if let Some(watch) = self.watch.lock().take() {
                self.shared.observe(|observer| observer.end_watch(watch));
            }
        });
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        Python::attach(|py| self.end(py));
    }
}

#[pymethods]
impl Switch {
    // Python's caller has them from one message.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (format, ports, fields, dropped_only, packets_per_second, max_bytes))]
    fn watch(
        &self,
        py: Python<'_>,
        format: &str,
        ports: Option<Vec<u16>>,
        fields: Vec<(String, String)>,
        dropped_only: bool,
        packets_per_second: u64,
        max_bytes: u64,
    ) -> PyResult<Watcher> {
        self.check_fields(py, &fields)?;
        let options = TraceOptions {
            format: format_named(format)?,
            ports,
            packets: None,
            bytes: Some(max_bytes),
            packets_per_second: Some(packets_per_second),
            filter: TraceFilter { fields, dropped_only },
        };
        let watch = py.detach(|| self.shared.observe(|observer| observer.watch(options)));
        let watch =
            watch.ok_or_else(|| InUse::new_err("others look on already, as many as may"))?;
        Ok(Watcher { shared: Arc::clone(&self.shared), watch: Mutex::new(Some(watch)) })
    }
}

impl Switch {
    /// A name that no field has would be waited for in vain.
    fn check_fields(&self, py: Python<'_>, fields: &[(String, String)]) -> PyResult<()> {
        if fields.is_empty() {
            return Ok(());
        }
        let names = self.control(py, |control| Ok(control.field_names()))?;
        match fields.iter().find(|(name, _)| !names.contains(name)) {
            None => Ok(()),
            Some((name, _)) => {
                let valid = names.join(", ");
                Err(UnknownObject::new_err(format!("no field {name}; valid: {valid}")))
            }
        }
    }
}
