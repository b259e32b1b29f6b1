//! What brings the engine's news to controllers, for as long as a switch is served.

use std::future::{pending, Future};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use engine::{panic_message, ControlQueue};
use futures_util::FutureExt;
use p4runtime::{Code, Error};
use tokio::sync::Notify;
use tokio::time::{sleep, sleep_until};

use crate::device::{Device, Listener};

/// How late a notification may come.
const SCANNING_INTERVAL: Duration = Duration::from_millis(50);

pub(crate) type Heard = Option<Arc<dyn Listener>>;

/// Runs the parts until one of them ends. Tells which, and why.
pub(crate) async fn run(device: &Device, listener: &Heard) -> String {
    tokio::select! {
        reason = watched("the packet-in reader", packet_ins(device)) => reason,
        reason = watched("the digest reader", digests(device, listener)) => reason,
        reason = watched("the scan for idle entries", idle(device, listener)) => reason,
    }
}

/// Runs a part to its end, which is a failure, as a panic is. Tells why, in one line.
pub(crate) async fn watched(name: &str, part: impl Future<Output = Result<(), Error>>) -> String {
    let reason = match AssertUnwindSafe(part).catch_unwind().await {
        Ok(Ok(())) => return format!("{name} has ended"),
        // The engine says which of its own has failed.
        Ok(Err(error)) => return error.message,
        Err(panic) => format!("{name} has failed: {}", panic_message(&*panic)),
    };
    Error::new(Code::Unavailable, reason).message
}

async fn packet_ins(device: &Device) -> Result<(), Error> {
    let engine = &device.ports.engine;
    let queue = &engine.queues().packet_ins;
    let news = news(queue);
    loop {
        news.notified().await;
        device.deliver_packets(&engine.take(queue)?);
    }
}

async fn digests(device: &Device, listener: &Heard) -> Result<(), Error> {
    let engine = &device.ports.engine;
    let queue = &engine.queues().digests;
    let news = news(queue);
    loop {
        let due = async {
            match device.digests_due() {
                Some(due) => sleep_until(due.into()).await,
                None => pending().await,
            }
        };
        tokio::select! {
            () = due => device.send_digests(),
            () = news.notified() => {
                let found = engine.take(queue)?;
                device.deliver_digests(&found);
                if let Some(listener) = listener.as_ref().filter(|_| !found.is_empty()) {
                    listener.digests(&found);
                }
            }
        }
    }
}

async fn idle(device: &Device, listener: &Heard) -> Result<(), Error> {
    loop {
        sleep(SCANNING_INTERVAL).await;
        device.report_idle(listener.as_deref())?;
    }
}

/// Is told when there is something to take. What is not taken in time waits, and is lost, in the
/// queue, which is bounded.
fn news<T>(queue: &ControlQueue<T>) -> Arc<Notify> {
    let news = Arc::new(Notify::new());
    let told = Arc::clone(&news);
    queue.listen(move || told.notify_one());
    news
}
