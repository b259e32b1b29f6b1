//! A way through AF_XDP that nobody need wait for.
//!
//! The kernel takes some tens of milliseconds to open an AF_XDP socket and to close it, and keeps
//! the interface a moment longer than that. So one that takes the place of another is opened by a
//! thread of its own.

use std::io::ErrorKind;
use std::mem::replace;
use std::sync::mpsc::{channel, Receiver, TryRecvError};
use std::thread::{sleep, Builder};
use std::time::Duration;

use super::raw::{Device, XdpTransmitter};

/// Until an interface that is busy is tried again, and how often.
const RETRY: Duration = Duration::from_millis(10);
const MAX_RETRIES: usize = 100;

#[derive(Debug)]
pub(super) enum Transmitter {
    Unavailable,
    /// It comes from the thread that opens it, or never.
    Opening(Receiver<Box<XdpTransmitter>>),
    Open(Box<XdpTransmitter>),
}

impl Transmitter {
    pub(super) fn open(interface: Device) -> Self {
        match XdpTransmitter::open(interface) {
            Ok(open) => Transmitter::Open(Box::new(open)),
            Err(error) if error.kind() == ErrorKind::ResourceBusy => {
                opening(Transmitter::Unavailable, interface)
            }
            Err(_) => Transmitter::Unavailable,
        }
    }

    /// What sends, unless it is not open, or not yet.
    pub(super) fn ready(&mut self) -> Option<&mut XdpTransmitter> {
        if let Transmitter::Opening(opened) = self {
            match opened.try_recv() {
                Ok(open) => *self = Transmitter::Open(open),
                Err(TryRecvError::Empty) => (),
                Err(TryRecvError::Disconnected) => *self = Transmitter::Unavailable,
            }
        }
        match self {
            Transmitter::Open(open) => Some(open),
            _ => None,
        }
    }

    /// What sends; from now on there is none.
    pub(super) fn take(&mut self) -> Option<Box<XdpTransmitter>> {
        match replace(self, Transmitter::Unavailable) {
            Transmitter::Open(open) => Some(open),
            _ => None,
        }
    }

    /// Another one takes the place of this one, which has failed.
    pub(super) fn renew(&mut self, interface: Device) {
        let failed = replace(self, Transmitter::Unavailable);
        *self = opening(failed, interface);
    }
}

/// Opens a transmitter after `former` is closed.
fn opening(former: Transmitter, interface: Device) -> Transmitter {
    let (opened, receiver) = channel();
    let open = move || {
        drop(former);
        for _ in 0..MAX_RETRIES {
            match XdpTransmitter::open(interface) {
                // Closed here if nobody wants it any more.
                Ok(open) => return opened.send(Box::new(open)).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::ResourceBusy => sleep(RETRY),
                Err(_) => return,
            }
        }
    };
    // Without a thread nothing is opened.
    let _ = Builder::new().name("p4abs-af-xdp".to_owned()).spawn(open);
    Transmitter::Opening(receiver)
}
