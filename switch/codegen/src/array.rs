//! Arrays that machine code can reach.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::ptr::slice_from_raw_parts_mut;

/// Words in a place that machine code knows how to find.
#[repr(C)]
pub struct Array {
    first: *mut u64,
    length: usize,
}

/// Where the fields are, for machine code.
pub(crate) const FIRST_OFFSET: i32 = std::mem::offset_of!(Array, first) as i32;
pub(crate) const LENGTH_OFFSET: i32 = std::mem::offset_of!(Array, length) as i32;
pub(crate) const ARRAY_BYTES: usize = std::mem::size_of::<Array>();

impl Array {
    /// So many zeros.
    pub fn zeros(length: usize) -> Array {
        let words: *mut [u64] = Box::into_raw(vec![0; length].into_boxed_slice());
        Array { first: words.cast(), length }
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        // SAFETY: it came from a box of this length, and nothing else owns it.
        drop(unsafe { Box::from_raw(slice_from_raw_parts_mut(self.first, self.length)) });
    }
}

impl Deref for Array {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        // SAFETY: so many words are there as long as `self` is.
        unsafe { std::slice::from_raw_parts(self.first, self.length) }
    }
}

impl DerefMut for Array {
    fn deref_mut(&mut self) -> &mut [u64] {
        // SAFETY: so many words are there as long as `self` is, which is borrowed for them alone.
        unsafe { std::slice::from_raw_parts_mut(self.first, self.length) }
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.deref().fmt(formatter)
    }
}

// SAFETY: it owns its words, as a box does.
unsafe impl Send for Array {}
// SAFETY: as above; shared, they are only read.
unsafe impl Sync for Array {}
