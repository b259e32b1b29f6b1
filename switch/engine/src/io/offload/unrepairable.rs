//! Why a frame cannot be repaired.

/// The frame is not as its sender says, stands for more segments than a sender leaves to be made, or
/// is of a kind that cannot be split, such as a tunnel's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unrepairable;
