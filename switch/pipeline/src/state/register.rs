//! Register arrays.

use std::ops::Range;

use crate::numbers::bits::{self, limbs_for};
use codegen::Array;
use num_bigint::BigUint;

/// What a register array is.
#[derive(Debug)]
pub(crate) struct Register {
    pub(crate) name: String,
    pub(crate) bits: u32,
    pub(crate) size: usize,
}

impl Register {
    /// Whether a number fits an element.
    pub(crate) fn fits(&self, value: &BigUint) -> bool {
        value.bits() <= u64::from(self.bits)
    }
}

/// The register arrays of a program, by their places.
#[derive(Debug)]
pub(crate) struct Registers {
    declared: Vec<Register>,
    /// `limbs_for(bits)` limbs for every element.
    cells: Vec<Array>,
}

impl Registers {
    /// Arrays of zeros.
    pub(crate) fn new(declared: Vec<Register>) -> Registers {
        let cells = declared.iter().map(|register| register.size * limbs_for(register.bits));
        Registers { cells: cells.map(Array::zeros).collect(), declared }
    }

    /// What they are.
    pub(crate) fn declared(&self) -> &[Register] {
        &self.declared
    }

    /// All their cells, for machine code.
    #[inline]
    pub(crate) fn cells_mut(&mut self) -> &mut [Array] {
        &mut self.cells
    }

    /// The element with this index, if there is one; only of elements of one limb.
    #[inline]
    pub(crate) fn word(&self, register: u16, index: u64) -> Option<&u64> {
        self.cells[usize::from(register)].get(usize::try_from(index).ok()?)
    }

    /// The element with this index, if there is one; only of elements of one limb. It must keep to
    /// the width.
    #[inline]
    pub(crate) fn word_mut(&mut self, register: u16, index: u64) -> Option<&mut u64> {
        self.cells[usize::from(register)].get_mut(usize::try_from(index).ok()?)
    }

    /// The limbs of an element, if there is one with this index.
    #[inline]
    pub(crate) fn cell(&self, register: usize, index: u64) -> Option<&[u64]> {
        let limbs = limbs_for(self.declared[register].bits);
        let start = usize::try_from(index).ok()?.checked_mul(limbs)?;
        self.cells[register].get(start..start.checked_add(limbs)?)
    }

    /// The limbs of an element, if there is one with this index. They must keep to the width.
    #[inline]
    pub(crate) fn cell_mut(&mut self, register: usize, index: u64) -> Option<&mut [u64]> {
        let limbs = limbs_for(self.declared[register].bits);
        let start = usize::try_from(index).ok()?.checked_mul(limbs)?;
        self.cells[register].get_mut(start..start.checked_add(limbs)?)
    }

    /// Takes over the elements of arrays of the same names and widths.
    pub(crate) fn take_over(&mut self, old: &Registers) {
        for (register, cells) in self.declared.iter().zip(&mut self.cells) {
            let same =
                |known: &&Register| known.name == register.name && known.bits == register.bits;
            if let Some(position) = old.declared.iter().position(|known| same(&known)) {
                let known = &old.cells[position];
                let count = cells.len().min(known.len());
                cells[..count].copy_from_slice(&known[..count]);
            }
        }
    }

    /// The limbs of all elements, one after the other.
    pub(crate) fn cells(&self, register: usize) -> impl Iterator<Item = &[u64]> {
        self.cells[register].chunks_exact(limbs_for(self.declared[register].bits).max(1))
    }

    /// Sets some elements, which are there, to a number that fits.
    pub(crate) fn fill(&mut self, register: usize, elements: Range<usize>, value: &BigUint) {
        let mut limbs = value.to_u64_digits();
        limbs.resize(limbs_for(self.declared[register].bits), 0);
        let words = elements.start * limbs.len()..elements.end * limbs.len();
        let cells = self.cells[register][words].chunks_exact_mut(limbs.len().max(1));
        cells.for_each(|cell| cell.copy_from_slice(&limbs));
    }

    /// An element as a number.
    pub(crate) fn read(&self, register: usize, index: usize) -> Option<BigUint> {
        self.cell(register, index as u64).map(bits::to_biguint)
    }

    /// Sets an element to a number that fits.
    pub(crate) fn write(&mut self, register: usize, index: usize, value: &BigUint) {
        if let Some(cell) = self.cell_mut(register, index as u64) {
            cell.fill(0);
            cell.iter_mut().zip(value.iter_u64_digits()).for_each(|(limb, digit)| *limb = digit);
        }
    }
}
