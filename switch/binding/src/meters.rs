//! Meters as Python sees them.

use pyo3::prelude::*;

use crate::errors::InvalidArgument;

/// What a meter lets pass.
#[pyclass(frozen, eq, hash, get_all, from_py_object, module = "p4abs_switch._engine")]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct MeterConfig {
    cir: u64,
    cburst: u64,
    pir: u64,
    pburst: u64,
}

#[pymethods]
impl MeterConfig {
    #[new]
    fn new(cir: i128, cburst: i128, pir: i128, pburst: i128) -> PyResult<Self> {
        let config = MeterConfig {
            cir: checked("cir", cir)?,
            cburst: checked("cburst", cburst)?,
            pir: checked("pir", pir)?,
            pburst: checked("pburst", pburst)?,
        };
        if cir > pir {
            let message = format!("cir {cir} is above pir {pir}; valid: at most pir");
            return Err(InvalidArgument::new_err(message));
        }
        Ok(config)
    }

    fn __repr__(&self) -> String {
        format!("{self:?}")
    }
}

fn checked(name: &str, value: i128) -> PyResult<u64> {
    u64::try_from(value).map_err(|_| {
        let message = format!("{name} {value} is out of range; valid are 0 to {}", u64::MAX);
        InvalidArgument::new_err(message)
    })
}

impl From<pipeline::MeterConfig> for MeterConfig {
    fn from(config: pipeline::MeterConfig) -> Self {
        let pipeline::MeterConfig { cir, cburst, pir, pburst } = config;
        MeterConfig { cir, cburst, pir, pburst }
    }
}

impl From<MeterConfig> for pipeline::MeterConfig {
    fn from(config: MeterConfig) -> Self {
        let MeterConfig { cir, cburst, pir, pburst } = config;
        pipeline::MeterConfig { cir, cburst, pir, pburst }
    }
}
