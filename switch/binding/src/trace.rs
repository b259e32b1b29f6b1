//! Traces and captures as Python asks for them.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use engine::{Captured, TraceFormat, TraceOptions};
use pyo3::prelude::*;

use crate::errors::{reason, InvalidArgument};
use crate::switch::{logger, Switch};

/// What stands for the standard output.
const STANDARD_OUTPUT: &str = "-";

#[pymethods]
impl Switch {
    #[pyo3(signature = (path=None, format="text", ports=None, packets=None, max_bytes=None))]
    fn trace(
        &self,
        py: Python<'_>,
        path: Option<PathBuf>,
        format: &str,
        ports: Option<Vec<u16>>,
        packets: Option<u64>,
        max_bytes: Option<u64>,
    ) -> PyResult<()> {
        let format = format_named(format)?;
        let options =
            TraceOptions { format, ports, packets, bytes: max_bytes, ..TraceOptions::default() };
        let Some(path) = path else {
            py.detach(|| self.shared.observe(|observer| observer.trace(options)));
            return Ok(());
        };
        let output: Box<dyn Write + Send> = match path.to_str() {
            Some(STANDARD_OUTPUT) => Box::new(io::stdout()),
            _ => Box::new(py.detach(|| File::create(&path)).map_err(|error| at(&path, &error))?),
        };
        py.detach(|| self.shared.observe(|observer| observer.trace_to(options, output, logger())))?;
        Ok(())
    }

    fn take_trace(&self, py: Python<'_>) -> String {
        py.detach(|| self.shared.observe(engine::Observer::take_lines))
    }

    #[pyo3(signature = (directory, interfaces_only=false))]
    fn capture(&self, py: Python<'_>, directory: PathBuf, interfaces_only: bool) -> PyResult<()> {
        let captured = if interfaces_only { Captured::WithInterface } else { Captured::All };
        let start =
            |observer: &mut engine::Observer| observer.capture(&directory, captured, logger());
        py.detach(|| self.shared.observe(start)).map_err(|error| at(&directory, &error))?;
        Ok(())
    }

    pub(crate) fn end_observation(&self, py: Python<'_>) {
        // The files are completed after the lock.
        py.detach(|| drop(self.shared.observe(engine::Observer::end)));
    }
}

/// An error with the file's name in its message.
fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {}", path.display(), reason(error)))
}

pub(crate) fn format_named(name: &str) -> PyResult<TraceFormat> {
    match name {
        "text" => Ok(TraceFormat::Text),
        "json" => Ok(TraceFormat::JsonLines),
        _ => Err(InvalidArgument::new_err(format!("trace format '{name}'; valid: text, json"))),
    }
}
