//! A port of the packet thread.

use crate::io::Interface;
use crate::statistics::Losses;

/// What the link watch tells the packet thread of a port.
#[derive(Debug)]
pub(super) enum Change {
    /// There is one more, still without interface.
    Added,
    /// There is none of that number any more; it has no interface.
    Removed,
    /// It is so from now on.
    Of(PortChange),
}

/// What becomes of a port.
#[derive(Debug)]
pub(super) enum PortChange {
    /// It has this interface from now on.
    Attached(Box<Interface>),
    /// It has none any more.
    Detached,
    /// Its interface is up, or down.
    Up(bool),
}

/// A port that has an interface, for as long as that is there.
#[derive(Debug)]
pub(super) struct LivePort {
    pub(super) number: u16,
    interface: Option<Box<Interface>>,
    is_up: bool,
    /// Those of interfaces that it no longer has, and what was sent without one.
    losses: Losses,
}

impl LivePort {
    pub(super) fn new(number: u16, interface: Option<Interface>) -> Self {
        let interface = interface.map(Box::new);
        LivePort { number, interface, is_up: true, losses: Losses::default() }
    }

    /// Makes a change; returns the interface that the port had and has no more.
    pub(super) fn make(&mut self, change: PortChange) -> Option<Box<Interface>> {
        match change {
            PortChange::Attached(interface) => self.interface.replace(interface),
            PortChange::Detached => {
                let mut interface = self.interface.take()?;
                interface.abandon();
                self.losses += interface.take_losses();
                Some(interface)
            }
            PortChange::Up(is_up) => {
                self.is_up = is_up;
                if let Some(interface) = self.interface.as_mut().filter(|_| !is_up) {
                    interface.lose_waiting();
                }
                None
            }
        }
    }

    pub(super) fn interface(&self) -> Option<&Interface> {
        self.interface.as_deref()
    }

    pub(super) fn interface_mut(&mut self) -> Option<&mut Interface> {
        self.interface.as_deref_mut()
    }

    /// Sends frames in order; all are lost while the interface is down or not there.
    pub(super) fn send<'a>(&mut self, frames: impl Iterator<Item = &'a [u8]> + Clone) {
        match &mut self.interface {
            Some(interface) if self.is_up => interface.send(frames),
            _ => self.losses.sent_packets += frames.count() as u64,
        }
    }

    /// The frames lost at this port since the last call.
    pub(super) fn take_losses(&mut self) -> Losses {
        let mut losses = std::mem::take(&mut self.losses);
        if let Some(interface) = &mut self.interface {
            losses += interface.take_losses();
        }
        losses
    }

    /// How many more frames may be sent before some wait too long; none: as many as there are.
    /// Without an interface all are lost, and none waits.
    pub(super) fn room_packets(&self) -> Option<usize> {
        self.interface().map_or(Some(usize::MAX), Interface::room_packets)
    }
}
