//! The sizes that programs must keep to.

/// The widest field, register or cast.
pub(crate) const MAX_BITS: u32 = 2048;

/// The widest intermediate result: a sum of two of the widest numbers, before it saturates.
pub(crate) const MAX_SUM_BITS: u32 = MAX_BITS + 1;

/// The most slots of a packet; what an index of 16 bits can name.
pub(crate) const MAX_SLOTS: usize = 1 << 16;

/// The longest header, not counting a field of variable length.
pub(crate) const MAX_HEADER_BYTES: u32 = 2048;
