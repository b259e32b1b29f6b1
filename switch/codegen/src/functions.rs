//! Compiled functions, and how they are called.

use crate::code::Code;
use crate::{Array, PADDING_BYTES};
use std::fmt;

/// One of [`Functions`]: their number.
pub type Function = u32;

/// What a function works on.
#[derive(Debug)]
pub struct Packet<'a> {
    /// As many as the compiler was told.
    pub slots: &'a mut [u64],
    /// The frame, with [`PADDING_BYTES`] after it.
    pub frame: &'a mut [u8],
    /// The length of the frame, in bytes.
    pub length: usize,
    /// How much of it has been taken, in bytes.
    pub position: &'a mut usize,
    /// The end of the slots that were touched.
    pub touched: &'a mut usize,
    /// As many as the compiler was told.
    pub arrays: &'a mut [Array],
}

/// The machine's signature of a function: slots, frame, length, position, touched, entry, arrays.
/// The result says where it was left.
pub(crate) type Entry = unsafe extern "C" fn(
    *mut u64,
    *mut u8,
    usize,
    *mut usize,
    *mut usize,
    usize,
    *mut Array,
) -> u64;

/// How many slots packets have, and how many arrays there are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) slots: usize,
    pub(crate) arrays: usize,
}

/// Compiled functions.
pub struct Functions {
    entries: Vec<Entry>,
    sizes: Sizes,
    _code: Code,
}

impl Functions {
    /// Functions whose code is in `code`.
    pub(crate) fn new(entries: Vec<Entry>, sizes: Sizes, code: Code) -> Functions {
        Functions { entries, sizes, _code: code }
    }

    /// Runs a function from one of its entries; returns where it was left.
    ///
    /// # Panics
    ///
    /// If there is no such function, slots or arrays are not as many as the compiler was told, the
    /// frame lacks padding, or more than the whole frame has been taken.
    #[inline]
    pub fn run(&self, function: Function, entry: u32, packet: Packet<'_>) -> u64 {
        let Packet { slots, frame, length, position, touched, arrays } = packet;
        let function = self.entries[function as usize];
        assert!(
            slots.len() == self.sizes.slots && arrays.len() == self.sizes.arrays,
            "another number of slots or arrays"
        );
        assert!(
            *position <= length && length.saturating_add(PADDING_BYTES) <= frame.len(),
            "a frame without padding"
        );
        // SAFETY: the code that the function is in lives as long as `self`. `Builder` lets a function access slots and arrays only up to the numbers that have
        // just been checked, of an array only the words that it has, and of the frame only what lies
        // between its start and `PADDING_BYTES` behind `length`. All of them are borrowed for as long
        // as it runs.
        unsafe {
            function(
                slots.as_mut_ptr(),
                frame.as_mut_ptr(),
                length,
                position,
                touched,
                entry as usize,
                arrays.as_mut_ptr(),
            )
        }
    }
}

impl fmt::Debug for Functions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} functions over {} slots", self.entries.len(), self.sizes.slots)
    }
}
