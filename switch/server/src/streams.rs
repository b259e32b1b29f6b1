//! Answers that go on: controllers' streams and traces.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, Stream};
use futures_util::FutureExt;
use p4runtime::{Code, Error};
use prost::Message;
use tokio::task::{spawn, JoinHandle};
use tokio::time::sleep;
use tonic::{Status, Streaming};

use crate::device::Device;
use crate::outbox::Outbox;
use crate::panics::failed;
use crate::ports::Trace;

/// How often lines of a trace are sent.
const INTERVAL: Duration = Duration::from_millis(50);

/// Arbitration and packets, both ways, for as long as a controller lives: until it is dropped.
struct Session {
    device: Arc<Device>,
    stream: Arc<Outbox>,
    receiving: JoinHandle<()>,
}

impl Drop for Session {
    fn drop(&mut self) {
        self.receiving.abort();
        self.device.leave(&self.stream);
    }
}

/// What a controller is told that says `requests`.
pub(crate) fn channel(
    device: &Arc<Device>,
    requests: Streaming<Bytes>,
) -> Result<impl Stream<Item = Result<Vec<u8>, Error>> + use<>, Error> {
    let stream = device.enter()?;
    let receiving = spawn(receive(Arc::clone(device), Arc::clone(&stream), requests));
    let session = Session { device: Arc::clone(device), stream, receiving };
    Ok(stream::unfold(session, |session| async {
        session.stream.next().await.map(|message| (message, session))
    }))
}

async fn receive(device: Arc<Device>, stream: Arc<Outbox>, mut requests: Streaming<Bytes>) {
    let received = async {
        loop {
            match requests.message().await {
                Ok(Some(request)) => device.receive(&stream, &request)?,
                Ok(None) => return Ok(()),
                Err(status) if is_too_long(&status) => {
                    return Err(Error::new(Code::ResourceExhausted, status.message()));
                }
                // The controller has gone, or speaks no gRPC.
                Err(_) => return Ok(()),
            }
        }
    };
    let received = AssertUnwindSafe(received).catch_unwind().await;
    stream.end(received.unwrap_or_else(|panic| Err(failed(&*panic))).err());
}

/// Lines as they come, until the trace has its size or the device has failed.
pub(crate) fn trace(trace: Trace) -> impl Stream<Item = Result<Vec<u8>, Error>> {
    stream::unfold(Some(trace), |trace| async {
        let trace = trace?;
        loop {
            let lines = trace.take()?;
            tokio::select! {
                () = sleep(INTERVAL) => {}
                error = trace.device.failed() => return Some((Err(error), None)),
            }
            if !lines.is_empty() {
                return Some((Ok(Trace::message(lines).encode_to_vec()), Some(trace)));
            }
        }
    })
}

/// Whether gRPC has refused a message because of its length.
pub(crate) fn is_too_long(status: &Status) -> bool {
    status.code() == tonic::Code::OutOfRange
}
