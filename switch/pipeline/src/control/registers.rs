//! Registers.

use std::ops::Range;

use super::{invalid, last_of, out_of_bounds, position, Control, Result};
use crate::numbers::bits;
use crate::state::Register;
use crate::types::RegisterInfo;
use num_bigint::BigUint;

const KIND: &str = "register";

impl Control<'_> {
    /// The program's register arrays.
    pub fn registers(&self) -> Vec<RegisterInfo> {
        let info = |register: &Register| RegisterInfo {
            name: register.name.clone(),
            size: register.size,
            bitwidth: register.bits as usize,
        };
        self.state.registers.declared().iter().map(info).collect()
    }

    /// Reads a cell.
    pub fn register_read(&self, register: &str, index: usize) -> Result<BigUint> {
        let (name, position) = (register, self.register_position(register)?);
        let registers = &self.state.registers;
        registers
            .read(position, index)
            .ok_or_else(|| out_of_bounds(KIND, name, index, registers.declared()[position].size))
    }

    /// The cells from an index on: big-endian bytes, as many as the width needs.
    pub fn register_cells(
        &self,
        register: &str,
        first: usize,
    ) -> Result<impl Iterator<Item = Vec<u8>> + '_> {
        let position = self.register_position(register)?;
        let bits = self.state.registers.declared()[position].bits;
        let cells = self.state.registers.cells(position).skip(first);
        Ok(cells.map(move |cell| bits::to_bytes(cell, bits)))
    }

    /// Writes the same value to some cells, or to none; big-endian bytes.
    pub fn register_fill(&mut self, register: &str, cells: Range<usize>, value: &[u8]) -> Result {
        if !cells.is_empty() {
            let value = BigUint::from_bytes_be(value);
            let position = self.writable_register(register, last_of(&cells), &value)?;
            self.state.registers.fill(position, cells, &value);
        }
        Ok(())
    }

    /// Writes a cell.
    pub fn register_write(
        &mut self,
        register: &str,
        index: usize,
        value: impl Into<BigUint>,
    ) -> Result {
        self.registers_write(&[(register, index, value.into())])
    }

    /// Reads all cells or none.
    pub fn registers_read<N: AsRef<str>>(&self, cells: &[(N, usize)]) -> Result<Vec<BigUint>> {
        cells.iter().map(|(name, index)| self.register_read(name.as_ref(), *index)).collect()
    }

    /// Writes all cells or none.
    pub fn registers_write<N: AsRef<str>, V: Into<BigUint> + Clone>(
        &mut self,
        cells: &[(N, usize, V)],
    ) -> Result {
        let mut writes = Vec::with_capacity(cells.len());
        for (name, index, value) in cells {
            let value = value.clone().into();
            let position = self.writable_register(name.as_ref(), *index, &value)?;
            writes.push((position, *index, value));
        }
        for (position, index, value) in writes {
            self.state.registers.write(position, index, &value);
        }
        Ok(())
    }

    /// The position of a register array to which the value can be written.
    fn writable_register(&self, name: &str, index: usize, value: &BigUint) -> Result<usize> {
        let position = self.register_position(name)?;
        let register = &self.state.registers.declared()[position];
        if index >= register.size {
            return Err(out_of_bounds(KIND, name, index, register.size));
        }
        if !register.fits(value) {
            let bits = register.bits;
            return Err(invalid(KIND, name, format!("{value} does not fit {bits} bits")));
        }
        Ok(position)
    }

    fn register_position(&self, name: &str) -> Result<usize> {
        position(KIND, self.state.registers.declared(), |register| &register.name, name)
    }
}
