//! What waits for a controller is bounded (P4Runtime 1.5, section 16).

use p4runtime::messages::streams::{MasterArbitrationUpdate, StreamMessageResponse, ToController};
use p4runtime::messages::{Packet, Status};
use p4runtime::{Code, Error};
use prost::Message;
use tokio::runtime::Builder;

use crate::outbox::{encoded, Outbox};

fn packet(number: u8) -> Vec<u8> {
    encoded(ToController::Packet(Packet { payload: vec![number], metadata: Vec::new() }))
}

/// All that comes until the stream has ended, and the error that ended it.
fn received(stream: &Outbox) -> (Vec<Vec<u8>>, Option<Error>) {
    let mut messages = Vec::new();
    let runtime = Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        while let Some(message) = stream.next().await {
            match message {
                Ok(message) => messages.push(message),
                Err(error) => return (messages, Some(error)),
            }
        }
        (messages, None)
    })
}

#[test]
fn messages_come_in_order_and_an_ended_stream_sends_them_first() {
    let stream = Outbox::default();
    let update = MasterArbitrationUpdate { device_id: 1, ..Default::default() };
    stream.notify(update.clone());
    stream.send(&packet(1));
    stream.send(&packet(2));
    stream.end(None);
    let expected = vec![encoded(ToController::Arbitration(update)), packet(1), packet(2)];
    assert_eq!(received(&stream), (expected, None));
}

#[test]
fn an_error_ends_the_stream_at_once_and_the_first_one_counts() {
    let stream = Outbox::default();
    stream.send(&packet(1));
    let error = Error::new(Code::NotFound, "no such device");
    stream.end(Some(error.clone()));
    stream.end(Some(Error::new(Code::Unavailable, "later")));
    assert_eq!(received(&stream), (vec![], Some(error)));
}

#[test]
fn packets_for_a_controller_that_does_not_read_are_lost_and_counted() {
    let stream = Outbox::default();
    (0..1500).for_each(|_| stream.send(&packet(0)));
    assert_eq!(stream.lost_messages(), 1500 - 1024);
    stream.notify(MasterArbitrationUpdate::default());
    stream.end(None);
    let (messages, _) = received(&stream);
    assert_eq!(messages.len(), 1025);
    let last = StreamMessageResponse::decode(messages[1024].as_slice()).unwrap();
    assert!(matches!(last.update, Some(ToController::Arbitration(_))));
}

#[test]
fn a_controller_that_reads_not_even_arbitration_updates_loses_its_stream() {
    let stream = Outbox::default();
    (0..3000).for_each(|_| stream.notify(MasterArbitrationUpdate::default()));
    assert_eq!(received(&stream).1.unwrap().code, Code::ResourceExhausted);
}

#[test]
fn long_messages_for_a_controller_that_does_not_read_take_bounded_memory() {
    let stream = Outbox::default();
    let long = vec![0; 1 << 20];
    (0..100).for_each(|_| stream.send(&long));
    assert_eq!(stream.lost_messages(), 100 - 16);
    assert_eq!(stream.take().len(), 16);
    stream.send(&long);
    assert_eq!(stream.lost_messages(), 100 - 16, "there is room again");
    let status = Status { message: "x".repeat(1 << 20), ..Status::default() };
    let update = MasterArbitrationUpdate { status: Some(status), ..Default::default() };
    (0..31).for_each(|_| stream.notify(update.clone()));
    assert_eq!(stream.error(), None);
    stream.notify(update);
    assert_eq!(stream.error().unwrap().code, Code::ResourceExhausted);
}
