//! What updates cost, in the time of some 6 ns that a cell of an array takes to be written, and what a
//! Write may cost, so that packets and other requests do not wait long for it.

use crate::entities;
use crate::messages::runtime::Entity;
use crate::plane::Plane;
use crate::status::Error;

/// Of an entry, a member, a group and the like.
const ENTRY: usize = 128;
/// Of an update of an array, besides its cells.
const ARRAY: usize = 16;
/// Of a cell of which it is kept what it was.
const KEPT_CELL: usize = 16;
/// So many bytes to decode cost 1.
const BYTES: usize = 64;

/// What Writes of a mode may cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// While packets wait; what is begun is completed.
    pub(super) part: usize,
    /// In all.
    pub(super) most: usize,
    /// Of this, a cell costs so much.
    cell: usize,
}

impl Limits {
    /// A part takes some 0.1 ms, and all some 0.1 s.
    pub(super) const IN_PARTS: Limits = Limits { part: 1 << 14, most: 1 << 24, cell: 1 };
    /// What was there is kept, in case that it is undone.
    pub(super) const UNDONE_IN_PARTS: Limits = Limits { cell: KEPT_CELL, ..Limits::IN_PARTS };
    /// Packets wait for all of it.
    pub(super) const AT_ONCE: Limits =
        Limits { part: usize::MAX, most: 1 << 22, ..Limits::UNDONE_IN_PARTS };

    pub(super) fn exceeded(self) -> Error {
        let (entries, cells) = (self.most / ENTRY, self.most / self.cell);
        let while_packets_wait =
            if self.part > self.most { ", for which packets wait," } else { "" };
        refusal!(
            ResourceExhausted,
            "one Write{while_packets_wait} has at most {entries} updates of entries, or {cells} cells \
             to write: send this update in another"
        )
    }
}

/// Of an update as it comes.
pub(super) fn of_bytes(update: &[u8]) -> usize {
    update.len() / BYTES
}

/// Of an entity's write.
pub(super) fn of(plane: &Plane<'_>, entity: &Entity) -> usize {
    entities::cells(plane.program, entity).map_or(ENTRY, |cells| ARRAY + cells)
}

/// Of keeping what the write of an entity overwrites.
pub(super) fn of_keeping(plane: &Plane<'_>, entity: &Entity) -> usize {
    entities::cells(plane.program, entity).map_or(0, |cells| cells * KEPT_CELL)
}
