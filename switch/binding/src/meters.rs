//! Meters as Python sees them.

use pipeline::{ColorCounts, CounterValue};
use pyo3::prelude::*;

use crate::convert::{key, KeyField};
use crate::errors::InvalidArgument;
use crate::switch::Switch;

/// What a meter lets pass.
#[pyclass(frozen, eq, hash, get_all, from_py_object, module = "p4abs_switch._engine")]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct MeterConfig {
    cir: u64,
    cburst: u64,
    pir: u64,
    pburst: u64,
    eburst: u64,
}

#[pymethods]
impl MeterConfig {
    #[new]
    #[pyo3(signature = (cir, cburst, pir, pburst, eburst=0))]
    fn new(cir: i128, cburst: i128, pir: i128, pburst: i128, eburst: i128) -> PyResult<Self> {
        let config = MeterConfig {
            cir: checked("cir", cir)?,
            cburst: checked("cburst", cburst)?,
            pir: checked("pir", pir)?,
            pburst: checked("pburst", pburst)?,
            eburst: checked("eburst", eburst)?,
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
        let pipeline::MeterConfig { cir, cburst, pir, pburst, eburst } = config;
        MeterConfig { cir, cburst, pir, pburst, eburst }
    }
}

impl From<MeterConfig> for pipeline::MeterConfig {
    fn from(config: MeterConfig) -> Self {
        let MeterConfig { cir, cburst, pir, pburst, eburst } = config;
        pipeline::MeterConfig { cir, cburst, pir, pburst, eburst }
    }
}

/// Packets and bytes of green, yellow and red.
pub(crate) type CountsByColor = ((u64, u64), (u64, u64), (u64, u64));

pub(crate) fn from_counts(counts: ColorCounts) -> CountsByColor {
    let pair = |CounterValue { packets, bytes }| (packets, bytes);
    (pair(counts.green), pair(counts.yellow), pair(counts.red))
}

#[pymethods]
impl Switch {
    fn meter_read(
        &self,
        py: Python<'_>,
        name: &str,
        index: usize,
    ) -> PyResult<Option<MeterConfig>> {
        let config = self.control(py, |control| control.meter_read(name, index))?;
        Ok(config.map(Into::into))
    }

    fn meter_write(
        &self,
        py: Python<'_>,
        name: &str,
        index: usize,
        config: Option<MeterConfig>,
    ) -> PyResult<()> {
        let config = config.map(Into::into);
        self.control(py, |control| control.meter_write(name, index, config))
    }

    #[pyo3(signature = (table, key, priority=0))]
    fn table_meter_read(
        &self,
        py: Python<'_>,
        table: &str,
        key: Vec<KeyField>,
        priority: i32,
    ) -> PyResult<Option<MeterConfig>> {
        let key = self::key(key);
        let config = self.control(py, |control| control.table_meter_read(table, &key, priority))?;
        Ok(config.map(Into::into))
    }

    #[pyo3(signature = (table, key, config, priority=0))]
    fn table_meter_write(
        &self,
        py: Python<'_>,
        table: &str,
        key: Vec<KeyField>,
        config: Option<MeterConfig>,
        priority: i32,
    ) -> PyResult<()> {
        let (key, config) = (self::key(key), config.map(Into::into));
        self.control(py, |control| control.table_meter_write(table, &key, priority, config))
    }
}
