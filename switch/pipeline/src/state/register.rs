//! Register arrays.

use crate::numbers::bits::{self, limbs_for};
use num_bigint::BigUint;

/// A register array.
#[derive(Debug)]
pub(crate) struct Register {
    pub(crate) name: String,
    pub(crate) bits: u32,
    pub(crate) size: usize,
    /// `limbs_for(bits)` limbs for every element.
    cells: Vec<u64>,
}

impl Register {
    /// An array of zeros.
    pub(crate) fn new(name: String, bits: u32, size: usize) -> Register {
        Register { name, bits, size, cells: vec![0; size * limbs_for(bits)] }
    }

    /// The element with this index, if there is one; only of elements of one limb.
    #[inline]
    pub(crate) fn word(&self, index: u64) -> Option<&u64> {
        self.cells.get(usize::try_from(index).ok()?)
    }

    /// The element with this index, if there is one; only of elements of one limb. It must keep to
    /// the width.
    #[inline]
    pub(crate) fn word_mut(&mut self, index: u64) -> Option<&mut u64> {
        self.cells.get_mut(usize::try_from(index).ok()?)
    }

    /// The limbs of an element, if there is one with this index.
    #[inline]
    pub(crate) fn cell(&self, index: u64) -> Option<&[u64]> {
        let limbs = limbs_for(self.bits);
        let start = usize::try_from(index).ok()?.checked_mul(limbs)?;
        self.cells.get(start..start.checked_add(limbs)?)
    }

    /// The limbs of an element, if there is one with this index. They must keep to the width.
    #[inline]
    pub(crate) fn cell_mut(&mut self, index: u64) -> Option<&mut [u64]> {
        let limbs = limbs_for(self.bits);
        let start = usize::try_from(index).ok()?.checked_mul(limbs)?;
        self.cells.get_mut(start..start.checked_add(limbs)?)
    }

    /// An element as a number.
    pub(crate) fn read(&self, index: usize) -> Option<BigUint> {
        self.cell(index as u64).map(bits::to_biguint)
    }

    /// Whether a number fits an element.
    pub(crate) fn fits(&self, value: &BigUint) -> bool {
        value.bits() <= u64::from(self.bits)
    }

    /// Sets an element to a number that fits.
    pub(crate) fn write(&mut self, index: usize, value: &BigUint) {
        if let Some(cell) = self.cell_mut(index as u64) {
            cell.fill(0);
            cell.iter_mut().zip(value.iter_u64_digits()).for_each(|(limb, digit)| *limb = digit);
        }
    }
}
