use nix::poll::{poll, PollFd, PollFlags, PollTimeout};

use super::*;

#[test]
fn the_descriptor_can_be_read_while_there_is_something_to_take() {
    let queue = ControlQueue::default();
    queue.push(|| 1);
    let descriptor = queue.descriptor().unwrap();
    assert!(can_be_read(&queue));
    queue.take();
    assert!(!can_be_read(&queue));
    queue.push(|| 2);
    queue.push(|| 3);
    assert!(can_be_read(&queue));
    queue.clear();
    assert!(!can_be_read(&queue));
    assert_eq!(queue.descriptor().unwrap(), descriptor);
}

#[test]
fn the_descriptor_of_a_closed_queue_can_always_be_read() {
    let queue = ControlQueue::<u8>::default();
    queue.descriptor().unwrap();
    queue.close();
    assert!(queue.take().is_empty());
    assert!(can_be_read(&queue));
}

fn can_be_read<T>(queue: &ControlQueue<T>) -> bool {
    let state = queue.0.lock();
    let news = state.news.as_ref().expect("the descriptor has been asked for");
    let mut polled = [PollFd::new(news.as_fd(), PollFlags::POLLIN)];
    poll(&mut polled, PollTimeout::ZERO).unwrap() == 1
}

#[test]
fn what_does_not_fit_is_counted() {
    let queue = ControlQueue::default();
    for item in 0..CAPACITY + 3 {
        queue.push(|| item);
    }
    assert_eq!(queue.overflowed(), 3);
    assert!(queue.take().into_iter().eq(0..CAPACITY));
    assert!(queue.take().is_empty());
}
