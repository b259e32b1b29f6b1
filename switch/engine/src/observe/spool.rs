//! Bytes on their way to a slow writer: whoever appends never waits for it.

use std::io;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use crate::panics::panic_message;
use crate::privileges::give_up_file_rights;
use crate::warn::Warn;

/// Bytes held for the writer; records that find no room are lost and counted. What is held at the
/// end must be written before the process may end.
const CAPACITY_BYTES: usize = 16 << 20;

/// With so many bytes the writer is woken.
const BATCH_BYTES: usize = 4 << 20;

/// How long the writer lets fewer gather. Nobody wakes it for them: that would cost the packet thread.
const GATHERING: Duration = Duration::from_millis(50);

/// A bounded buffer of records.
#[derive(Debug)]
pub(crate) struct Spool {
    capacity_bytes: usize,
    state: Mutex<State>,
    /// The writer has something to do.
    wanted: Condvar,
}

#[derive(Debug, Default)]
struct State {
    bytes: Vec<u8>,
    lost_records: u64,
    is_complete: bool,
    is_closed: bool,
}

/// What has gathered in a spool.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// Whole records one after the other.
    pub(crate) bytes: Vec<u8>,
    /// Records that were lost after them.
    pub(crate) lost_records: u64,
    /// The last of them is the last of all.
    pub(crate) is_complete: bool,
}

impl Default for Spool {
    fn default() -> Self {
        Spool::holding(CAPACITY_BYTES)
    }
}

impl Spool {
    /// One that holds so many bytes.
    pub(crate) fn holding(capacity_bytes: usize) -> Self {
        Spool { capacity_bytes, state: Mutex::default(), wanted: Condvar::new() }
    }

    /// Appends a record given in parts, or counts it as lost, as is all that comes after the end.
    /// Tells whether there was room.
    pub(crate) fn append(&self, parts: &[&[u8]]) -> bool {
        let length_bytes: usize = parts.iter().map(|part| part.len()).sum();
        let mut state = self.state.lock();
        // Once a record is lost, so are the next ones, until the writer has been told.
        if state.is_closed
            || state.lost_records > 0
            || state.bytes.len() + length_bytes > self.capacity_bytes
        {
            state.lost_records += 1;
            return false;
        }
        for part in parts {
            state.bytes.extend_from_slice(part);
        }
        if state.bytes.len() >= BATCH_BYTES && state.bytes.len() - length_bytes < BATCH_BYTES {
            self.wanted.notify_all();
        }
        true
    }

    /// Appends the last record, whether there is room or not.
    pub(crate) fn complete(&self, record: &[u8]) {
        let mut state = self.state.lock();
        state.bytes.extend_from_slice(record);
        state.is_complete = true;
    }

    /// Takes what there is; the memory of `batch` is used again.
    pub(crate) fn take(&self, batch: &mut Batch) {
        let mut state = self.state.lock();
        batch.bytes.clear();
        std::mem::swap(&mut state.bytes, &mut batch.bytes);
        batch.lost_records = std::mem::take(&mut state.lost_records);
        batch.is_complete = state.is_complete;
    }

    /// Waits a little for records to gather; false once no more will come.
    fn gather(&self) -> bool {
        let mut state = self.state.lock();
        if !state.is_closed && state.bytes.len() < BATCH_BYTES {
            self.wanted.wait_for(&mut state, GATHERING);
        }
        !state.is_closed
    }

    fn close(&self) {
        self.state.lock().is_closed = true;
        self.wanted.notify_all();
    }
}

/// A thread that writes what gathers in a spool. Dropping it writes the rest and ends it.
///
/// It is an observer: if it dies, the user is told, nothing more is kept for it, and the switch
/// goes on.
#[derive(Debug)]
pub(crate) struct SpoolWriter {
    spool: Arc<Spool>,
    thread: Option<JoinHandle<()>>,
}

impl SpoolWriter {
    /// Calls `write` with every batch, in a thread of its own that writes the `what`.
    pub(crate) fn start(
        what: &'static str,
        spool: Arc<Spool>,
        warn: Warn,
        mut write: impl FnMut(&Batch, &Warn) + Send + 'static,
    ) -> io::Result<SpoolWriter> {
        let thread = Builder::new().name(format!("p4abs-{what}")).spawn({
            let spool = Arc::clone(&spool);
            move || {
                // What it writes is open. As it may have been before, that is no reason not to write.
                let _ = give_up_file_rights();
                let to_the_end = || write_all(&spool, |batch| write(batch, &warn));
                if let Err(panic) = catch_unwind(AssertUnwindSafe(to_the_end)) {
                    spool.close();
                    spool.take(&mut Batch::default());
                    let reason = panic_message(&*panic);
                    warn(&format!("the {what} ends here: its thread panicked: {reason}"));
                }
            }
        })?;
        Ok(SpoolWriter { spool, thread: Some(thread) })
    }
}

fn write_all(spool: &Spool, mut write: impl FnMut(&Batch)) {
    let mut batch = Batch::default();
    let mut goes_on = true;
    while goes_on {
        goes_on = spool.gather();
        spool.take(&mut batch);
        write(&batch);
    }
}

impl Drop for SpoolWriter {
    fn drop(&mut self) {
        self.spool.close();
        if let Some(thread) = self.thread.take() {
            // Its panic has been caught, and told of.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
#[path = "tests/spool.rs"]
mod tests;
