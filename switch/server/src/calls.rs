//! Requests that take long. A Write, a config change and a Read are each complete before the next one
//! begins (P4Runtime 1.5, sections 12.1 and 13.4); their parts are not in the way of other calls.

use std::future::Future;
use std::panic::resume_unwind;
use std::sync::Arc;

use p4runtime::{BatchStatus, Error, Reading};
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::task::{spawn, spawn_blocking, JoinError};

use crate::device::Device;

/// The calls of one device.
#[derive(Debug)]
pub(crate) struct Calls {
    pub(crate) device: Arc<Device>,
    undivided: Arc<Mutex<()>>,
    /// Reads wait here for each other, so that what writes waits for one of them, not for all.
    reads: Mutex<()>,
}

/// What a Read has found, in messages, and what has failed of it.
pub(crate) type Found = (Vec<Vec<u8>>, BatchStatus);

impl Calls {
    pub(crate) fn new(device: Arc<Device>) -> Calls {
        Calls { device, undivided: Arc::default(), reads: Mutex::default() }
    }

    /// Applies a batch of updates; what has failed.
    pub(crate) async fn write(&self, request: &[u8]) -> Result<BatchStatus, Error> {
        let alone = self.alone().await;
        let device = Arc::clone(&self.device);
        let mut writing = device.write(request)?;
        if writing.is_complete() {
            return Ok(device.finish(&writing));
        }
        to_the_end(alone, async move {
            while !writing.is_complete() {
                let device = Arc::clone(&device);
                let part = move || {
                    let written = device.p4runtime.write_on(&mut writing);
                    (writing, written)
                };
                let written;
                (writing, written) = beside(part).await;
                written?;
            }
            Ok(device.finish(&writing))
        })
        .await
    }

    /// Reads a batch of entities. Other calls run meanwhile, but none that writes.
    pub(crate) async fn read(&self, request: &[u8]) -> Result<Found, Error> {
        let _turn = self.reads.lock().await;
        let _alone = self.undivided.lock().await;
        let mut reading = self.device.read(request)?;
        let mut messages = Vec::new();
        while !reading.is_complete() {
            let device = Arc::clone(&self.device);
            let part = move || take(&device, reading);
            let taken;
            (reading, taken) = beside(part).await;
            messages.extend(taken?);
        }
        let (reading, rest) = take(&self.device, reading);
        messages.extend(rest?);
        Ok((messages, reading.status()))
    }

    /// Verifies, saves or commits a program. A large one takes long to compile.
    pub(crate) async fn set_config(&self, request: &[u8]) -> Result<(), Error> {
        let alone = self.alone().await;
        let device = Arc::clone(&self.device);
        let change = device.config_change(request)?;
        to_the_end(alone, beside(move || device.change(change))).await
    }

    async fn alone(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.undivided).lock_owned().await
    }
}

fn take(device: &Device, mut reading: Reading) -> (Reading, Result<Vec<Vec<u8>>, Error>) {
    let taken = device.p4runtime.read_on(&mut reading);
    (reading, taken)
}

/// Awaits what is completed even if who asked for it goes, and nothing else begins before.
async fn to_the_end<T: Send + 'static>(
    alone: OwnedMutexGuard<()>,
    work: impl Future<Output = T> + Send + 'static,
) -> T {
    let work = async move {
        let done = work.await;
        drop(alone);
        done
    };
    spawn(work).await.unwrap_or_else(|error| go_on_with(error))
}

/// Awaits a call that takes long, beside others. The end of the process does not wait for it.
pub(crate) async fn beside<T: Send + 'static>(call: impl FnOnce() -> T + Send + 'static) -> T {
    spawn_blocking(call).await.unwrap_or_else(|error| go_on_with(error))
}

/// A panic in a call is one of who awaits it.
fn go_on_with(error: JoinError) -> ! {
    match error.try_into_panic() {
        Ok(panic) => resume_unwind(panic),
        Err(error) => panic!("{error}"),
    }
}
