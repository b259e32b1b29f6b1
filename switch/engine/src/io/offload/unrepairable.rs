//! Why a frame cannot be repaired.

/// The frame is not as its sender says, or of a kind that cannot be split, such as a tunnel's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unrepairable;
