//! What a process that serves a switch may do: no more than it needs from then on.

use caps::{CapSet, Capability, CapsHashSet};
use thiserror::Error;

/// Rights that a running switch uses, where it has them.
const KEPT: [Capability; 4] = [
    // Packet sockets: an interface that has failed or comes late is opened at any time.
    Capability::CAP_NET_RAW,
    // Receive buffers beyond the system's limit.
    Capability::CAP_NET_ADMIN,
    // AF_XDP keeps frames in locked memory.
    Capability::CAP_IPC_LOCK,
    // A gRPC port below 1024.
    Capability::CAP_NET_BIND_SERVICE,
];

/// Rights that a switch uses while it starts: programs, keys, traces and captures may be in folders
/// of another user, as with sudo.
const OF_FILES: [Capability; 2] = [Capability::CAP_DAC_OVERRIDE, Capability::CAP_DAC_READ_SEARCH];

/// The kernel refused to take a privilege away.
#[derive(Debug, Error)]
#[error("cannot give up privileges: {0}")]
pub struct PrivilegesKept(String);

/// Gives up all capabilities (capabilities(7)) that a switch does not use, for good: no program
/// that this one executes gets them back (`PR_SET_NO_NEW_PRIVS`). The right to open files of other
/// users is left until [`give_up_file_rights`].
///
/// Of the calling thread and those that it starts from then on, so it is called before others are.
///
/// # Errors
///
/// When the kernel refuses.
pub fn give_up_privileges() -> Result<(), PrivilegesKept> {
    let kept = KEPT.into_iter().chain(OF_FILES).collect();
    keep_only(&kept).map_err(|error| PrivilegesKept(error.to_string()))?;
    nix::sys::prctl::set_no_new_privs().map_err(|error| PrivilegesKept(error.to_string()))
}

/// Gives up the right to open files of other users, once those that a switch was given are open. Of
/// the calling thread and those that it starts from then on.
///
/// # Errors
///
/// When the kernel refuses.
pub fn give_up_file_rights() -> Result<(), PrivilegesKept> {
    keep_only(&CapsHashSet::from(KEPT)).map_err(|error| PrivilegesKept(error.to_string()))
}

fn keep_only(kept: &CapsHashSet) -> Result<(), caps::errors::CapsError> {
    let permitted = caps::read(None, CapSet::Permitted)?;
    if permitted.contains(&Capability::CAP_SETPCAP) {
        for right in caps::read(None, CapSet::Bounding)?.difference(kept) {
            caps::drop(None, CapSet::Bounding, *right)?;
        }
    }
    for set in [CapSet::Ambient, CapSet::Inheritable, CapSet::Effective, CapSet::Permitted] {
        let now = caps::read(None, set)?;
        caps::set(None, set, &now.intersection(kept).copied().collect())?;
    }
    Ok(())
}
