//! Waiting for frames, for a deadline, or for another thread.

use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{ppoll, PollFd, PollFlags};
use nix::sys::eventfd::{EfdFlags, EventFd};
use nix::sys::time::TimeSpec;
use smallvec::SmallVec;

/// Up to so many sockets are waited for without an allocation.
const INLINE_SOCKETS: usize = 32;

/// Lets any thread end another thread's [`wait`], or wake an event loop by the descriptor.
#[derive(Debug)]
pub(crate) struct Waker(EventFd);

impl Waker {
    pub(crate) fn new() -> std::io::Result<Self> {
        let flags = EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK;
        Ok(Waker(EventFd::from_value_and_flags(0, flags)?))
    }

    /// Ends the current wait, or the next one if nobody waits.
    pub(crate) fn wake(&self) {
        // Fails only when the counter is at its maximum: then the wait ends anyway.
        let _ = self.0.write(1);
    }

    /// Forgets calls.
    pub(crate) fn reset(&self) {
        // Fails only when nobody has called.
        let _ = self.0.read();
    }
}

/// Can be read from a call on, until [`Waker::reset`].
impl AsFd for Waker {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Waits until a socket has what it is polled for or an error, `waker` is called, or `timeout` has passed.
/// Calls `failed` with the position of each socket that reports an error.
pub(crate) fn wait<'a>(
    sockets: impl Iterator<Item = PollFd<'a>>,
    waker: &'a Waker,
    timeout: Option<Duration>,
    mut failed: impl FnMut(usize),
) -> std::io::Result<()> {
    let waker_polled = PollFd::new(waker.as_fd(), PollFlags::POLLIN);
    let mut polled: SmallVec<[PollFd<'a>; INLINE_SOCKETS]> =
        std::iter::once(waker_polled).chain(sockets).collect();
    match ppoll(&mut polled, timeout.map(TimeSpec::from_duration), None) {
        Ok(_) => (),
        // A signal ends the wait like any other event.
        Err(Errno::EINTR) => return Ok(()),
        Err(error) => return Err(error.into()),
    }
    waker.reset();
    let error = PollFlags::POLLERR | PollFlags::POLLHUP | PollFlags::POLLNVAL;
    for (position, socket) in polled[1..].iter().enumerate() {
        if socket.revents().is_some_and(|events| events.intersects(error)) {
            failed(position);
        }
    }
    Ok(())
}
