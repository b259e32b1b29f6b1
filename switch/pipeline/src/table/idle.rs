//! Idle timeouts: entries that no packet has matched for a while.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// When an entry was hit last, and when it counts as idle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IdleTimer {
    /// 0: the entry never counts as idle.
    pub(crate) timeout_ns: u64,
    /// The last hit; before the first one, when the entry was made.
    last_hit_us: u64,
    /// Idle time counts from here if this is later than the last hit.
    started_us: u64,
    /// When the entry is looked at next.
    pub(super) awaited_us: u64,
}

impl IdleTimer {
    /// The timer of an entry that is made now.
    pub(crate) fn new(timeout_ns: u64, now_us: u64) -> IdleTimer {
        IdleTimer { timeout_ns, last_hit_us: now_us, started_us: now_us, awaited_us: 0 }
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

    /// When the timeout has passed if no packet comes; None: never. The entry must be looked at then.
    pub(super) fn awaited(&mut self) -> Option<u64> {
        if self.timeout_ns == 0 {
            return None;
        }
        let since_us = self.last_hit_us.max(self.started_us);
        self.awaited_us = since_us.saturating_add(self.timeout_ns.div_ceil(1000));
        Some(self.awaited_us)
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

/// When entries, by their numbers, must be looked at: the earliest first. What packets hit stays where
/// it is until then.
#[derive(Debug, Default)]
pub(super) struct IdleQueue(BinaryHeap<Reverse<(u64, u32)>>);

impl IdleQueue {
    pub(super) fn push(&mut self, due_us: u64, number: u32) {
        self.0.push(Reverse((due_us, number)));
    }

    /// Takes the earliest that is due by now.
    pub(super) fn pop(&mut self, now_us: u64) -> Option<(u64, u32)> {
        let is_due = self.0.peek().is_some_and(|Reverse((due_us, _))| *due_us <= now_us);
        is_due.then(|| self.0.pop()).flatten().map(|Reverse(first)| first)
    }
}
