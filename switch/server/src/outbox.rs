//! A controller's stream: what waits to be sent to it (P4Runtime 1.5, section 16).

use std::collections::VecDeque;
use std::mem;

use p4runtime::messages::streams::{
    DigestListAckError, Dropped, MasterArbitrationUpdate, PacketOutError, StreamError,
    StreamMessageResponse, StreamOtherError, ToController, ToSwitch,
};
use p4runtime::{refusal, Error};
use parking_lot::Mutex;
use prost::Message;
use tokio::sync::Notify;

/// A controller that does not read loses messages beyond so many, or so many bytes, and its stream when
/// even arbitration updates come to twice as many: nobody else waits for it.
const MESSAGES_WAITING: usize = 1024;
const BYTES_WAITING: usize = 16 << 20;

/// A bounded queue of messages to one controller.
#[derive(Debug, Default)]
pub struct Outbox {
    state: Mutex<State>,
    news: Notify,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Vec<u8>>,
    waiting_bytes: usize,
    has_ended: bool,
    error: Option<Error>,
    lost_messages: u64,
}

impl Outbox {
    /// Tells where the controller stands.
    pub(crate) fn notify(&self, update: MasterArbitrationUpdate) {
        let mut state = self.state.lock();
        if !state.push(&encoded(ToController::Arbitration(update)), 2) {
            state.end(Some(refusal!(ResourceExhausted, "the controller does not read")));
        }
        self.news.notify_one();
    }

    /// Sends a packet or notification, or counts it as lost when too many wait.
    pub(crate) fn send(&self, message: &[u8]) {
        let mut state = self.state.lock();
        if state.push(message, 1) {
            self.news.notify_one();
        } else {
            state.lost_messages += 1;
        }
    }

    /// Reports a message of the controller that was dropped (section 16.6).
    pub(crate) fn report(&self, error: Error, dropped: Option<ToSwitch>) {
        let details = match dropped {
            Some(ToSwitch::Packet(packet)) => {
                Dropped::PacketOut(PacketOutError { packet_out: Some(packet) })
            }
            Some(ToSwitch::DigestAck(ack)) => {
                Dropped::DigestListAck(DigestListAckError { digest_list_ack: Some(ack) })
            }
            _ => Dropped::Other(StreamOtherError {}),
        };
        let (canonical_code, message) = (error.code as i32, error.message);
        let report = StreamError { canonical_code, message, details: Some(details) };
        self.send(&encoded(ToController::Error(report)));
    }

    /// Ends the stream after what waits; with an error, at once.
    pub fn end(&self, error: Option<Error>) {
        self.state.lock().end(error);
        self.news.notify_one();
    }

    /// The next message, once there is one; none: the stream has ended.
    pub(crate) async fn next(&self) -> Option<Result<Vec<u8>, Error>> {
        loop {
            {
                let mut state = self.state.lock();
                if let Some(error) = &state.error {
                    return Some(Err(error.clone()));
                }
                if let Some(message) = state.waiting.pop_front() {
                    state.waiting_bytes -= message.len();
                    return Some(Ok(message));
                }
                if state.has_ended {
                    return None;
                }
            }
            self.news.notified().await;
        }
    }

    /// All messages that wait.
    pub fn take(&self) -> Vec<Vec<u8>> {
        let mut state = self.state.lock();
        state.waiting_bytes = 0;
        mem::take(&mut state.waiting).into()
    }

    /// The error that the stream has ended with.
    pub fn error(&self) -> Option<Error> {
        self.state.lock().error.clone()
    }

    /// Messages that the controller has lost because it does not read.
    pub fn lost_messages(&self) -> u64 {
        self.state.lock().lost_messages
    }
}

impl State {
    /// Adds a message if fewer wait than so many shares of the most. Tells whether it has.
    fn push(&mut self, message: &[u8], shares: usize) -> bool {
        let has_room = self.waiting.len() < shares * MESSAGES_WAITING
            && self.waiting_bytes < shares * BYTES_WAITING;
        if has_room {
            self.waiting_bytes += message.len();
            self.waiting.push_back(message.to_vec());
        }
        has_room
    }

    fn end(&mut self, error: Option<Error>) {
        self.has_ended = true;
        self.error = self.error.take().or(error);
    }
}

/// A message for a controller's stream.
pub(crate) fn encoded(update: ToController) -> Vec<u8> {
    StreamMessageResponse { update: Some(update) }.encode_to_vec()
}
