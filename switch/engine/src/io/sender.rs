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
    /// The kernel's error for the last frame that the packet socket did not take.
    pub(crate) refusal: Option<i32>,
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
        FrameSender { socket, transmitter, through_qdisc, refusal: None }
    }

    /// The packet socket, which also receives.
    pub(crate) fn socket(&self) -> &PacketSocket {
        &self.socket
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
                self.refusal = error.raw_os_error();
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
