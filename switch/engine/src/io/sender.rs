//! Sending frames on an interface by the cheapest way that it offers.

use std::io::{ErrorKind, Result};
use std::os::fd::{AsFd, BorrowedFd};

use crate::io::raw::{PacketSocket, Sent, XdpTransmitter};

/// Sends frames on one interface, in order.
///
/// Through AF_XDP where the kernel offers it. Frames that are too long for that go through a
/// packet socket, and so do all while the interface fails: an AF_XDP socket cannot take back what
/// the interface did not take, so it is closed, and opened again when frames pass.
#[derive(Debug)]
pub struct FrameSender {
    socket: PacketSocket,
    transmitter: Transmitter,
    through_qdisc: bool,
}

#[derive(Debug)]
enum Transmitter {
    Unavailable,
    /// Closed because the interface failed.
    Closed,
    Open(Box<XdpTransmitter>),
}

impl FrameSender {
    /// Opens sockets for the interface of that name. Needs CAP_NET_RAW.
    pub fn open(name: &str) -> Result<Self> {
        let socket = PacketSocket::open(name)?;
        socket.bypass_qdisc()?;
        let transmitter = Transmitter::open(&socket);
        Ok(FrameSender { socket, transmitter, through_qdisc: false })
    }

    /// The same, but frames go through the interface's queueing discipline, which may be full.
    pub fn open_through_qdisc(name: &str) -> Result<Self> {
        let socket = PacketSocket::open(name)?;
        Ok(FrameSender { socket, transmitter: Transmitter::Unavailable, through_qdisc: true })
    }

    /// The packet socket, which also receives.
    pub(crate) fn socket(&self) -> &PacketSocket {
        &self.socket
    }

    /// Sends or loses the first frames, at most [`crate::SEND_BATCH`]; none only if the queueing
    /// discipline is full.
    pub fn send<'a>(&mut self, frames: impl Iterator<Item = &'a [u8]> + Clone) -> Sent {
        if let Transmitter::Open(transmitter) = &mut self.transmitter {
            match transmitter.send(frames.clone()) {
                Ok(0) => (),
                Ok(taken) => return Sent { taken, lost: 0 },
                Err(sent) => {
                    self.transmitter = Transmitter::Closed;
                    return sent;
                }
            }
        }
        let taken = match self.socket.send(frames) {
            Ok(taken) => taken,
            Err(error) if self.through_qdisc && error.kind() == ErrorKind::WouldBlock => 0,
            Err(_) => return Sent { taken: 0, lost: 1 },
        };
        if matches!(self.transmitter, Transmitter::Closed) {
            self.transmitter = Transmitter::open(&self.socket);
        }
        Sent { taken, lost: 0 }
    }
}

impl Transmitter {
    fn open(interface: &PacketSocket) -> Self {
        XdpTransmitter::open(interface).map_or(Transmitter::Unavailable, |transmitter| {
            Transmitter::Open(Box::new(transmitter))
        })
    }
}

impl AsFd for FrameSender {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}
