//! What the program sends to the control plane, on its way there.

use std::collections::VecDeque;
use std::fmt;
use std::os::fd::{AsFd, AsRawFd, RawFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use pipeline::Digest;

use crate::io::Waker;

/// Items held for the control plane; more are lost and counted.
const CAPACITY: usize = 4096;

/// What the control plane has lost because nobody took it in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Untaken {
    /// Frames sent to the CPU port.
    pub packet_ins: u64,
    /// Digests of packets.
    pub digests: u64,
    /// Lines that the program logs.
    pub log_lines: u64,
}

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

/// Called when there is something to take, or nothing will come any more. It must not wait.
pub type OnNews = Box<dyn Fn() + Send>;

/// A bounded queue that control-plane threads wait at, or an event loop by its descriptor or a call.
#[derive(Debug)]
pub struct ControlQueue<T> {
    state: Mutex<State<T>>,
    arrived: Condvar,
}

struct State<T> {
    items: VecDeque<T>,
    overflowed: u64,
    is_closed: bool,
    /// Called while nobody must wait, for those who have asked for a descriptor.
    news: Option<Waker>,
    on_news: Option<OnNews>,
}

impl<T> fmt::Debug for State<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = self.items.len();
        formatter.debug_struct("State").field("items", &items).finish_non_exhaustive()
    }
}

impl<T> State<T> {
    fn must_wait(&self) -> bool {
        self.items.is_empty() && !self.is_closed
    }

    /// Makes the descriptor say whether one must wait.
    fn tell(&self) {
        if let Some(on_news) = self.on_news.as_ref().filter(|_| !self.must_wait()) {
            on_news();
        }
        match &self.news {
            Some(news) if self.must_wait() => news.reset(),
            Some(news) => news.wake(),
            None => (),
        }
    }
}

impl<T> ControlQueue<T> {
    /// Appends what `item` makes, or counts it as overflowed.
    pub(crate) fn push(&self, item: impl FnOnce() -> T) {
        let mut state = self.state.lock();
        if state.items.len() < CAPACITY {
            state.items.push_back(item());
            if state.items.len() == 1 {
                state.tell();
            }
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
        let items = state.items.drain(..).collect();
        state.tell();
        items
    }

    /// A file descriptor that can be read while there is something to take, or nothing will come any
    /// more. It is there as long as the queue is.
    pub fn descriptor(&self) -> std::io::Result<RawFd> {
        let mut state = self.state.lock();
        if let Some(news) = &state.news {
            return Ok(news.as_fd().as_raw_fd());
        }
        let descriptor = state.news.insert(Waker::new()?).as_fd().as_raw_fd();
        state.tell();
        Ok(descriptor)
    }

    /// Calls `on_news` from now on, by whoever brings the news.
    pub(crate) fn listen(&self, on_news: OnNews) {
        let mut state = self.state.lock();
        state.on_news = Some(on_news);
        state.tell();
    }

    /// Discards all items.
    pub(crate) fn clear(&self) {
        let mut state = self.state.lock();
        state.items.clear();
        state.tell();
    }

    fn close(&self) {
        let mut state = self.state.lock();
        state.is_closed = true;
        state.tell();
        self.arrived.notify_all();
    }

    /// Items lost because nobody took them in time.
    pub fn overflowed(&self) -> u64 {
        self.state.lock().overflowed
    }
}

impl<T> Default for ControlQueue<T> {
    fn default() -> Self {
        let state = State {
            items: VecDeque::new(),
            overflowed: 0,
            is_closed: false,
            news: None,
            on_news: None,
        };
        ControlQueue { state: Mutex::new(state), arrived: Condvar::new() }
    }
}

#[cfg(test)]
#[path = "tests/control_queue.rs"]
mod tests;
