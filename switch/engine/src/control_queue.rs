//! What the program sends to the control plane, on its way there.

use std::collections::VecDeque;
use std::fmt;
use std::os::fd::{AsFd, AsRawFd, RawFd};
use std::sync::Arc;

use parking_lot::Mutex;
use pipeline::Digest;

use crate::io::Waker;

/// Items held for the control plane; more are lost and counted.
const CAPACITY: usize = 4096;

/// The queues of one switch.
#[derive(Debug, Clone, Default)]
pub struct ControlQueues {
    /// Frames sent to the CPU port.
    pub packet_ins: Arc<ControlQueue<Vec<u8>>>,
    /// Digests of packets.
    pub digests: Arc<ControlQueue<Digest>>,
    /// Lines that the program logs.
    pub log: Arc<ControlQueue<String>>,
}

impl ControlQueues {
    /// Nothing more will come, and that is news.
    pub(crate) fn close(&self) {
        self.packet_ins.close();
        self.digests.close();
        self.log.close();
    }
}

/// A bounded queue that event loops take from when its descriptor or a call tells them to.
#[derive(Debug)]
pub struct ControlQueue<T>(Mutex<State<T>>);

struct State<T> {
    items: VecDeque<T>,
    overflowed: u64,
    is_closed: bool,
    /// Called while there is news, for those who have asked for a descriptor.
    news: Option<Waker>,
    on_news: Option<Box<dyn Fn() + Send>>,
}

impl<T> fmt::Debug for State<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = self.items.len();
        formatter.debug_struct("State").field("items", &items).finish_non_exhaustive()
    }
}

impl<T> State<T> {
    /// Makes the descriptor say whether there is something to take, or nothing will come any more.
    fn tell(&self) {
        let is_news = self.is_closed || !self.items.is_empty();
        if let Some(on_news) = self.on_news.as_ref().filter(|_| is_news) {
            on_news();
        }
        match &self.news {
            Some(news) if is_news => news.wake(),
            Some(news) => news.reset(),
            None => (),
        }
    }
}

impl<T> ControlQueue<T> {
    /// Appends what `item` makes, or counts it as overflowed.
    pub(crate) fn push(&self, item: impl FnOnce() -> T) {
        let mut state = self.0.lock();
        if state.items.len() < CAPACITY {
            state.items.push_back(item());
            if state.items.len() == 1 {
                state.tell();
            }
        } else {
            state.overflowed += 1;
        }
    }

    /// Takes all items.
    pub fn take(&self) -> Vec<T> {
        let mut state = self.0.lock();
        let items = state.items.drain(..).collect();
        state.tell();
        items
    }

    /// A file descriptor that can be read while there is something to take, or nothing will come any
    /// more. It is there as long as the queue is.
    pub fn descriptor(&self) -> std::io::Result<RawFd> {
        let mut state = self.0.lock();
        if let Some(news) = &state.news {
            return Ok(news.as_fd().as_raw_fd());
        }
        let descriptor = state.news.insert(Waker::new()?).as_fd().as_raw_fd();
        state.tell();
        Ok(descriptor)
    }

    /// Calls `on_news`, which must not wait, when there is something to take or nothing will come any
    /// more: by whoever brings that about.
    pub fn listen(&self, on_news: impl Fn() + Send + 'static) {
        let mut state = self.0.lock();
        state.on_news = Some(Box::new(on_news));
        state.tell();
    }

    /// Discards all items.
    pub(crate) fn clear(&self) {
        let mut state = self.0.lock();
        state.items.clear();
        state.tell();
    }

    fn close(&self) {
        let mut state = self.0.lock();
        state.is_closed = true;
        state.tell();
    }

    /// Items lost because nobody took them in time.
    pub fn overflowed(&self) -> u64 {
        self.0.lock().overflowed
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
        ControlQueue(Mutex::new(state))
    }
}

#[cfg(test)]
#[path = "tests/control_queue.rs"]
mod tests;
