//! What can be set of hashes, as Python sees it.

use pipeline::CrcParameters;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::switch::Switch;

/// Polynomial, initial remainder, final exclusive or, and what is reflected: data, remainder.
type Crc = (u32, u32, u32, bool, bool);

fn parameters(
    (polynomial, initial, final_xor, data_reflected, remainder_reflected): Crc,
) -> CrcParameters {
    CrcParameters { polynomial, initial, final_xor, data_reflected, remainder_reflected }
}

#[pymethods]
impl Switch {
    fn set_crc16(&self, py: Python<'_>, calculation: &str, crc: Crc) -> PyResult<()> {
        self.control(py, |control| control.set_crc16(calculation, parameters(crc)))
    }

    fn set_crc32(&self, py: Python<'_>, calculation: &str, crc: Crc) -> PyResult<()> {
        self.control(py, |control| control.set_crc32(calculation, parameters(crc)))
    }

    fn set_toeplitz_key(
        &self,
        py: Python<'_>,
        calculation: &str,
        key: PyBackedBytes,
    ) -> PyResult<()> {
        self.control(py, |control| control.set_toeplitz_key(calculation, &key))
    }
}
