//! Units of time, and the time of day.

use std::time::{SystemTime, UNIX_EPOCH};

/// Nanoseconds in a microsecond.
pub(crate) const NS_PER_US: u64 = 1_000;

/// Nanoseconds in a second.
pub(crate) const NS_PER_S: u64 = 1_000_000_000;

/// Nanoseconds since the Unix epoch.
pub(crate) fn unix_time_ns() -> u64 {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
    since_epoch.map_or(0, |time| time.as_nanos() as u64)
}
