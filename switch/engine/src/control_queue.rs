//! What the program sends to the control plane, on its way there.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use pipeline::Digest;

/// Items held for the control plane; more are lost and counted.
const CAPACITY: usize = 4096;

/// The queues of one switch.
#[derive(Debug, Clone, Default)]
pub(crate) struct ControlQueues {
    pub(crate) packet_ins: Arc<PacketInQueue>,
    pub(crate) digests: Arc<DigestQueue>,
    pub(crate) log: Arc<LogQueue>,
}

impl ControlQueues {
    /// Nothing more will come: nobody waits any longer.
    pub(crate) fn close(&self) {
        self.packet_ins.close();
        self.digests.close();
        self.log.close();
    }
}

/// Frames sent to the CPU port.
pub type PacketInQueue = ControlQueue<Vec<u8>>;

/// Lines that the program logs.
pub type LogQueue = ControlQueue<String>;

/// Digests of packets.
pub type DigestQueue = ControlQueue<Digest>;

/// A bounded queue that control-plane threads wait at.
#[derive(Debug)]
pub struct ControlQueue<T> {
    state: Mutex<State<T>>,
    arrived: Condvar,
}

#[derive(Debug)]
struct State<T> {
    items: VecDeque<T>,
    overflowed: u64,
    is_closed: bool,
}

impl<T> State<T> {
    fn must_wait(&self) -> bool {
        self.items.is_empty() && !self.is_closed
    }
}

impl<T> ControlQueue<T> {
    /// Appends what `item` makes, or counts it as overflowed.
    pub(crate) fn push(&self, item: impl FnOnce() -> T) {
        let mut state = self.state.lock();
        if state.items.len() < CAPACITY {
            state.items.push_back(item());
            self.arrived.notify_one();
        } else {
            state.overflowed += 1;
        }
    }

    /// Takes all items; waits up to `timeout` for the first one if one may still come.
    pub fn take(&self, timeout: Duration) -> Vec<T> {
        let mut state = self.state.lock();
        if let Some(deadline) = Instant::now().checked_add(timeout) {
            self.arrived.wait_while_until(&mut state, |state| state.must_wait(), deadline);
        } else {
            self.arrived.wait_while(&mut state, |state| state.must_wait());
        }
        state.items.drain(..).collect()
    }

    /// Discards all items.
    pub(crate) fn clear(&self) {
        self.state.lock().items.clear();
    }

    fn close(&self) {
        self.state.lock().is_closed = true;
        self.arrived.notify_all();
    }

    /// Items lost because nobody took them in time.
    pub fn overflowed(&self) -> u64 {
        self.state.lock().overflowed
    }
}

impl<T> Default for ControlQueue<T> {
    fn default() -> Self {
        let state = State { items: VecDeque::new(), overflowed: 0, is_closed: false };
        ControlQueue { state: Mutex::new(state), arrived: Condvar::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_counted() {
        let queue = ControlQueue::default();
        for item in 0..CAPACITY + 3 {
            queue.push(|| item);
        }
        assert_eq!(queue.overflowed(), 3);
        assert!(queue.take(Duration::ZERO).into_iter().eq(0..CAPACITY));
        assert!(queue.take(Duration::ZERO).is_empty());
    }
}
