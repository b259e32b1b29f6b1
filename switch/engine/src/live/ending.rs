//! How the packet thread has ended.

use parking_lot::{Condvar, Mutex};

/// Tells how a packet thread has ended, to whoever waits for it.
#[derive(Debug, Default)]
pub struct Ending {
    ended: Mutex<Option<Result<(), String>>>,
    told: Condvar,
}

impl Ending {
    /// Waits until the thread has ended. If nobody stopped it, the error says in one line why.
    pub fn wait(&self) -> Result<(), String> {
        let mut ended = self.ended.lock();
        loop {
            if let Some(ended) = &*ended {
                return ended.clone();
            }
            self.told.wait(&mut ended);
        }
    }

    pub(crate) fn tell(&self, ended: Result<(), String>) {
        *self.ended.lock() = Some(ended);
        self.told.notify_all();
    }
}
