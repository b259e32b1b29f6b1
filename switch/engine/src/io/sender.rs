//! Sending frames on an interface by the cheapest way that it offers.

use std::io::{ErrorKind, Result};
use std::os::fd::{AsFd, BorrowedFd};

use super::raw::{PacketSocket, Sent, XdpTransmitter};
use super::transmitter::Transmitter;

/// Sends frames on one interface, in order.
///
/// Through AF_XDP where the kernel offers it. Frames that are too long for that go through a
/// packet socket, and so do all after the interface has failed until there is a new AF_XDP socket:
/// one cannot take back what the interface did not take.
#[derive(Debug)]
pub struct FrameSender {
    socket: PacketSocket,
    transmitter: Transmitter,
    through_qdisc: bool,
    /// The queueing discipline has dropped frames.
    qdisc_has_dropped: bool,
    /// A frame was longer than the MTU allows.
    has_lost_long: bool,
}

impl FrameSender {
    /// Opens sockets for the interface of that name. Needs CAP_NET_RAW.
    pub fn open(name: &str) -> Result<Self> {
        let socket = PacketSocket::open(name)?;
        socket.bypass_qdisc()?;
        let transmitter = Transmitter::open(socket.device);
        Ok(FrameSender::of(socket, transmitter, false))
    }

    /// The same, but frames go through the interface's queueing discipline, which may be full.
    pub fn open_through_qdisc(name: &str) -> Result<Self> {
        let socket = PacketSocket::open(name)?;
        Ok(FrameSender::of(socket, Transmitter::Unavailable, true))
    }

    fn of(socket: PacketSocket, transmitter: Transmitter, through_qdisc: bool) -> Self {
        let (qdisc_has_dropped, has_lost_long) = (false, false);
        FrameSender { socket, transmitter, through_qdisc, qdisc_has_dropped, has_lost_long }
    }

    /// The packet socket, which also receives.
    pub(crate) fn socket(&self) -> &PacketSocket {
        &self.socket
    }

    /// Whether the interface's queueing discipline has dropped a frame instead of letting it wait.
    pub(crate) fn qdisc_has_dropped(&self) -> bool {
        self.qdisc_has_dropped
    }

    /// Whether a frame was lost because it is longer than the interface's MTU allows.
    pub(crate) fn has_lost_long(&self) -> bool {
        self.has_lost_long
    }

    /// What sends through AF_XDP; frames go through the packet socket from now on.
    pub(crate) fn take_transmitter(&mut self) -> Option<Box<XdpTransmitter>> {
        self.transmitter.take()
    }

    /// Sends or loses the first frames, at most [`crate::SEND_BATCH`]; none only if the queueing
    /// discipline is full.
    pub fn send<'a>(&mut self, frames: impl Iterator<Item = &'a [u8]> + Clone) -> Sent {
        match self.transmitter.ready().map(|open| open.send(frames.clone())) {
            None | Some(Ok(Sent { taken: 0, lost: 0 })) => (),
            Some(Ok(sent)) => return sent,
            Some(Err(sent)) => {
                self.transmitter.renew(self.socket.device);
                return sent;
            }
        }
        match self.socket.send(frames) {
            Ok(taken) => Sent { taken, lost: 0 },
            Err(error) if self.through_qdisc && error.kind() == ErrorKind::WouldBlock => {
                Sent { taken: 0, lost: 0 }
            }
            Err(error) => {
                self.qdisc_has_dropped |=
                    self.through_qdisc && error.raw_os_error() == Some(libc::ENOBUFS);
                self.has_lost_long |= error.raw_os_error() == Some(libc::EMSGSIZE);
                Sent { taken: 0, lost: 1 }
            }
        }
    }
}

impl AsFd for FrameSender {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

#[cfg(test)]
#[path = "tests/sender.rs"]
mod tests;
