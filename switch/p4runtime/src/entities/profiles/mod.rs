//! Action profiles: Write and Read of members and groups (P4Runtime 1.5, section 9.2).

pub(super) mod groups;
pub(super) mod members;
mod numbered;
