//! A link of constant rate, exact over any number of frames.

use std::num::NonZeroU64;

#[cfg(doc)]
use crate::config::MAX_RATE_BPS;
use crate::time::{SwitchTime, NS_PER_S};

/// The transmitter of a port.
///
/// The link is free `fraction / rate_bps` nanoseconds after `free_at`. The fraction is carried
/// from frame to frame, so rounding never accumulates: back to back frames of `n` bytes in all end
/// exactly `floor(8e9 * n / rate_bps)` ns after the first one's start. At [`MAX_RATE_BPS`] and below,
/// 64 bits hold every intermediate result for frames of up to 2 MB.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    rate_bps: Option<NonZeroU64>,
    free_at: SwitchTime,
    fraction: u64,
}

impl Link {
    /// A link of `rate_bps`; without a rate frames take no time.
    pub(crate) fn new(rate_bps: Option<NonZeroU64>) -> Self {
        Link { rate_bps, free_at: SwitchTime::default(), fraction: 0 }
    }

    pub(crate) fn free_at(&self) -> SwitchTime {
        self.free_at
    }

    pub(crate) fn is_free(&self, now: SwitchTime) -> bool {
        self.free_at <= now
    }

    /// Starts a frame at `now`, or when the previous one ends if that is a fraction of a
    /// nanosecond later, and returns when its last bit has left.
    pub(crate) fn transmit(&mut self, now: SwitchTime, length_bytes: usize) -> SwitchTime {
        if now > self.free_at {
            self.free_at = now;
            self.fraction = 0;
        }
        if let Some(rate_bps) = self.rate_bps {
            let bits = 8 * length_bytes as u64;
            let parts = bits * NS_PER_S + self.fraction;
            self.free_at = self.free_at.after_ns(parts / rate_bps);
            self.fraction = parts % rate_bps;
        }
        self.free_at
    }
}
