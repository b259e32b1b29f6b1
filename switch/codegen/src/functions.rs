//! Compiled functions, and how they are called.

use crate::{Array, PADDING_BYTES};
use cranelift_jit::JITModule;
use std::fmt;
use std::mem::ManuallyDrop;

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

/// Compiled functions. There are none in the default.
#[derive(Default)]
pub struct Functions {
    entries: Vec<Entry>,
    slots: usize,
    arrays: usize,
    _memory: Option<Memory>,
}

impl Functions {
    pub(crate) fn new(
        entries: Vec<Entry>,
        [slots, arrays]: [usize; 2],
        module: JITModule,
    ) -> Functions {
        let memory = Memory(ManuallyDrop::new(module));
        Functions { entries, slots, arrays, _memory: Some(memory) }
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
            slots.len() == self.slots && arrays.len() == self.arrays,
            "another number of slots or arrays"
        );
        assert!(
            *position <= length && length.saturating_add(PADDING_BYTES) <= frame.len(),
            "a frame without padding"
        );
        // SAFETY: the module that the function is in lives as long as `self`, and so does its
        // memory. `Builder` lets a function access slots and arrays only up to the numbers that have
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
        write!(formatter, "{} functions over {} slots", self.entries.len(), self.slots)
    }
}

/// Where the machine code is.
struct Memory(ManuallyDrop<JITModule>);

// SAFETY: what is not `Send` in it is the allocator, which is the one of the system: pages of the
// process, which no thread owns.
unsafe impl Send for Memory {}
// SAFETY: nothing but the end of its life ever uses the module again, and that has it for itself. The
// code is never written again.
unsafe impl Sync for Memory {}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: only the functions' owner calls them, and it is being dropped. The module is not
        // used afterwards.
        unsafe { ManuallyDrop::take(&mut self.0).free_memory() }
    }
}
