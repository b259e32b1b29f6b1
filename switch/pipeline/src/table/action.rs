//! What entries do: calls of actions, directly or through an action profile.

use crate::program::Address;

/// An action's code in one table, followed by what comes after a hit or a miss.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ActionCode {
    pub(crate) on_hit: Address,
    pub(crate) on_miss: Address,
}

/// An action with its arguments, as limbs one after the other.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) action: usize,
    pub(crate) arguments: Box<[u64]>,
}

/// Number of a copy of a member.
pub(crate) type CopyNumber = u32;

/// Number of a group, or of the members of a one-shot entry.
pub(crate) type GroupNumber = u32;

/// An action of a one-shot entry.
#[derive(Debug, Clone)]
pub(crate) struct WeightedCall {
    pub(crate) call: Call,
    pub(crate) weight: u32,
    pub(crate) watch_port: Option<u16>,
}

/// What an entry does.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    Call(Call),
    Member { id: u32, copy: CopyNumber },
    Group { id: u32, number: GroupNumber },
    OneShot { actions: Vec<WeightedCall>, number: GroupNumber },
}

impl Target {
    /// The action that it runs whatever the packet.
    pub(crate) fn call(&self) -> Option<&Call> {
        match self {
            Target::Call(call) => Some(call),
            _ => None,
        }
    }
}
