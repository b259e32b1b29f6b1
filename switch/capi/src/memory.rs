//! C's memory as Rust's values. The crate's unsafe code is here and in [`crate::interface`].
//!
//! What cannot be checked is the caller's promise, which every function repeats: a pointer that is
//! not null points to that much readable (for output: writable) memory, and nobody changes it
//! during the call.
#![allow(unsafe_code)]

use std::ffi::{c_char, CStr};
use std::mem::MaybeUninit;

use crate::error::Error;

/// C's `p4abs_bytes`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Bytes {
    /// May be null if `count` is 0.
    pub bytes: *const u8,
    /// How many there are.
    pub count: usize,
}

/// C's `p4abs_match`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Match {
    /// The value that the field is compared with.
    pub value: Bytes,
    /// The leading bits that count, or [`EXACT`].
    pub prefix_bits: u32,
}

/// C's `P4ABS_EXACT`.
pub const EXACT: u32 = u32::MAX;

/// The array at `first`; null is an empty one if `count` is 0.
///
/// # Safety
/// `first` is null or points to `count` initialised elements, unchanged for `'a`.
pub(crate) unsafe fn array<'a, T>(
    name: &'static str,
    first: *const T,
    count: usize,
) -> Result<&'a [T], Error> {
    if count > isize::MAX as usize / size_of::<T>() {
        return Err(Error::TooLong(name));
    }
    match (first.is_null(), count) {
        (true, 0) => Ok(&[]),
        (true, _) => Err(Error::Null(name)),
        // SAFETY: not null, no longer than memory; the rest is promised.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(first, count) }),
    }
}

/// The text at `text`.
///
/// # Safety
/// `text` is null or points to a string terminated by NUL, unchanged for `'a`.
pub(crate) unsafe fn text<'a>(name: &'static str, text: *const c_char) -> Result<&'a str, Error> {
    if text.is_null() {
        return Err(Error::Null(name));
    }
    // SAFETY: not null; the rest is promised.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Error::NotUtf8(name))
}

/// Copies as much of `message` as fits, with a NUL behind it and no character cut in two.
///
/// # Safety
/// `buffer` is null or points to `buffer_bytes` writable bytes.
pub(crate) unsafe fn copy_message(message: &CStr, buffer: *mut c_char, buffer_bytes: usize) {
    if buffer.is_null() || buffer_bytes == 0 {
        return;
    }
    let message = message.to_string_lossy();
    let room = message.len().min(buffer_bytes - 1);
    let kept = (0..=room).rev().find(|&end| message.is_char_boundary(end)).unwrap_or(0);
    // SAFETY: kept < buffer_bytes, and a message of ours cannot lie in the caller's buffer.
    unsafe {
        std::ptr::copy_nonoverlapping(message.as_ptr().cast(), buffer, kept);
        buffer.add(kept).write(0);
    }
}

/// Where a result goes; must not be null.
pub(crate) fn required<'a, T>(
    name: &'static str,
    output: Option<&'a mut MaybeUninit<T>>,
) -> Result<&'a mut MaybeUninit<T>, Error> {
    output.ok_or(Error::Null(name))
}

impl Bytes {
    /// # Safety
    /// `bytes` is null or points to `count` bytes, unchanged during the call.
    pub(crate) unsafe fn to_vec(self, name: &'static str) -> Result<Vec<u8>, Error> {
        // SAFETY: promised.
        unsafe { array(name, self.bytes, self.count) }.map(<[u8]>::to_vec)
    }
}

impl Match {
    /// # Safety
    /// As for [`Bytes::to_vec`].
    pub(crate) unsafe fn to_match(self) -> Result<pipeline::Match, Error> {
        // SAFETY: promised.
        let value = unsafe { self.value.to_vec("key") }?;
        Ok(match self.prefix_bits {
            EXACT => pipeline::Match::Exact(value),
            prefix_length => pipeline::Match::Lpm { value, prefix_length },
        })
    }
}
