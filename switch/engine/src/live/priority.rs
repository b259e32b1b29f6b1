//! The packet thread's priority.
//!
//! At ordinary priority the scheduler shares a core out evenly, also when frames never end. At
//! real-time priority it takes a core from a thread only when a tenth of a second is over, and the
//! server's threads, at the same priority, need it several times for each answer: so the packet
//! thread gives way to them after every batch. At ordinary priority that would cost it some of its
//! share, wherever the core has other work, too.

use std::fs;

/// The field of /proc/PID/stat that has the real-time priority (proc(5)), behind the command's name.
const RT_PRIORITY: usize = 37;

/// Whether the calling thread runs at real-time priority (sched(7)).
///
/// False without /proc.
pub(super) fn is_real_time() -> bool {
    let stat = fs::read_to_string("/proc/thread-self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    fields.split_whitespace().nth(RT_PRIORITY).is_some_and(|priority| priority != "0")
}
