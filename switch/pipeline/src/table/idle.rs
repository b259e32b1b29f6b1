//! Idle timeouts: entries that no packet has matched for a while.

/// When an entry was hit last, and when it counts as idle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IdleTimer {
    /// 0: the entry never counts as idle.
    pub(crate) timeout_ns: u64,
    /// The last hit; before the first one, when the entry was made.
    last_hit_us: u64,
    /// Idle time counts from here if this is later than the last hit.
    started_us: u64,
}

impl IdleTimer {
    /// The timer of an entry that is made now.
    pub(crate) fn new(timeout_ns: u64, now_us: u64) -> IdleTimer {
        IdleTimer { timeout_ns, last_hit_us: now_us, started_us: now_us }
    }

    /// The same entry with another timeout, which begins now.
    pub(crate) fn with_timeout(self, timeout_ns: u64, now_us: u64) -> IdleTimer {
        IdleTimer { timeout_ns, started_us: now_us, ..self }
    }

    #[inline]
    pub(crate) fn hit(&mut self, now_us: u64) {
        self.last_hit_us = now_us;
    }

    /// The time since the last hit.
    pub(crate) fn idle_ns(&self, now_us: u64) -> u64 {
        now_us.saturating_sub(self.last_hit_us).saturating_mul(1000)
    }

    /// Whether the timeout has passed; if so, it begins again.
    pub(crate) fn expire(&mut self, now_us: u64) -> bool {
        let since_us = self.last_hit_us.max(self.started_us);
        let idle_ns = now_us.saturating_sub(since_us).saturating_mul(1000);
        let expired = self.timeout_ns > 0 && idle_ns >= self.timeout_ns;
        if expired {
            self.started_us = now_us;
        }
        expired
    }
}
