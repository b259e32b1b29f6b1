//! A queue's rate in frames, exact over any number of them.

use std::num::NonZeroU64;

use crate::config::MAX_QUEUE_RATE_PPS;
use crate::time::{SwitchTime, NS_PER_S};

const HIGHEST_PPS: NonZeroU64 = NonZeroU64::new(MAX_QUEUE_RATE_PPS).unwrap();

/// Gives the frames of a queue their turns, at least `1 / rate_pps` seconds apart.
///
/// As in BMv2 a frame gets its turn when it comes, and keeps it when the rate changes. The fraction
/// of a nanosecond is carried from turn to turn.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pacer {
    rate_pps: Option<NonZeroU64>,
    last: SwitchTime,
    fraction: u64,
}

impl Pacer {
    /// Frames that come from now on have this rate; none: their turn is when they come.
    pub(super) fn set_rate(&mut self, rate_pps: Option<NonZeroU64>) {
        self.rate_pps = rate_pps.map(|rate_pps| rate_pps.min(HIGHEST_PPS));
        self.fraction = 0;
    }

    /// Takes back all turns, of frames that will not leave.
    pub(super) fn restart(&mut self) {
        (self.last, self.fraction) = (SwitchTime::default(), 0);
    }

    /// The turn of a frame that comes now, but never before that of an earlier one.
    #[inline]
    pub(super) fn turn(&self, now: SwitchTime) -> SwitchTime {
        self.next().0.max(now)
    }

    /// Gives that turn away.
    #[inline]
    pub(super) fn take_turn(&mut self, now: SwitchTime) -> SwitchTime {
        let (turn, fraction) = self.next();
        (self.last, self.fraction) = if now > turn { (now, 0) } else { (turn, fraction) };
        self.last
    }

    #[inline]
    fn next(&self) -> (SwitchTime, u64) {
        let Some(rate_pps) = self.rate_pps else {
            return (self.last, 0);
        };
        let parts = NS_PER_S + self.fraction;
        (self.last.after_ns(parts / rate_pps), parts % rate_pps)
    }
}
