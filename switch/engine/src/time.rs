//! Time: the switch's own, and the time of day.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Nanoseconds in a microsecond.
const NS_PER_US: u64 = 1_000;

/// Nanoseconds in a second.
pub(crate) const NS_PER_S: u64 = 1_000_000_000;

/// An instant of the switch's time: nanoseconds since it was made, virtual or real.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct SwitchTime(u64);

impl SwitchTime {
    /// Later than every event.
    pub(crate) const NEVER: SwitchTime = SwitchTime(u64::MAX);

    #[inline]
    pub(crate) const fn from_nanos(nanos: u64) -> Self {
        SwitchTime(nanos)
    }

    #[inline]
    pub(crate) const fn nanos(self) -> u64 {
        self.0
    }

    /// The clock of a P4 program counts whole microseconds.
    #[inline]
    pub(crate) const fn micros(self) -> u64 {
        self.0 / NS_PER_US
    }

    /// So much later, at most [`SwitchTime::NEVER`].
    #[inline]
    pub(crate) const fn after_ns(self, delay_ns: u64) -> Self {
        SwitchTime(self.0.saturating_add(delay_ns))
    }

    /// The time since `earlier`; zero if that is later.
    #[inline]
    pub(crate) fn since(self, earlier: SwitchTime) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

/// Nanoseconds since the Unix epoch.
pub fn unix_time_ns() -> u64 {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
    since_epoch.map_or(0, |time| time.as_nanos() as u64)
}
