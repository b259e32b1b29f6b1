//! A Linux interface that carries a port's frames.

use std::os::fd::{AsFd, BorrowedFd};

use nix::errno::Errno;
use nix::net::if_::{if_nameindex, if_nametoindex};
use nix::poll::{PollFd, PollFlags};
use nix::sys::socket::{getsockopt, sockopt::SocketError};
use pipeline::Notices;
use thiserror::Error;

use crate::config::PortConfig;
use crate::io::raw::{Binding, Content, ReceiveRing, XdpTransmitter, SEND_BATCH};
use crate::io::sharers::sharers;
use crate::io::FrameSender;
use crate::statistics::Losses;
use crate::warn::Warn;

/// Bytes of the two MAC addresses, in front of a VLAN tag.
const ADDRESSES_BYTES: usize = 12;

/// For thousands of frames.
const LARGE_RING_BYTES: u64 = 16 << 20;

/// Why an interface cannot serve as a port.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs)] // the messages say what the fields are
pub enum InterfaceError {
    /// No interface has that name.
    #[error("port {port}: no interface {name}; valid: {}", list(.valid))]
    NotFound { port: u16, name: String, valid: Vec<String> },
    /// Packet sockets are not for everyone.
    #[error("interface {name}: no right to open a packet socket; needs root or CAP_NET_RAW")]
    MissingRights { name: String },
    /// Its frames are none of Ethernet.
    #[error(
        "interface {name} has no Ethernet header: it is a tun interface, or a tunnel of another \
         kind; a port needs one that has, such as veth or tap"
    )]
    NoEthernet { name: String },
    /// What moves frames, or watches interfaces, could not be started.
    #[error("cannot move frames: {reason}")]
    Start { reason: String },
    /// The kernel refused for another reason.
    #[error("interface {name}: {reason}")]
    Refused { name: String, reason: String },
}

/// An open interface.
#[derive(Debug)]
pub struct Interface {
    port: u16,
    name: String,
    sender: FrameSender,
    through_qdisc: bool,
    /// Frames for which the queueing discipline had no room.
    waiting: Vec<Vec<u8>>,
    ring: ReceiveRing,
    /// A frame that was too long for the ring.
    long: Vec<u8>,
    /// A frame for which its sender had left something to do.
    repaired: Vec<u8>,
    /// A frame whose VLAN tag is put back in.
    tagged: Vec<u8>,
    losses: Losses,
    /// The kernel has counted frames that are not in `losses` yet.
    loss_is_flagged: bool,
    /// What is wrong with the frames that come, and with those that go.
    notices: Notices,
}

impl Interface {
    /// Opens the interface `name` for `port`, for a program that may not always be there to receive.
    pub fn open(port: u16, name: &str) -> Result<Self, InterfaceError> {
        let config = PortConfig { ring_bytes: Some(LARGE_RING_BYTES), ..PortConfig::new(port) };
        Self::of(&config, name, 1)
    }

    /// Opens the interface of one of so many ports, as the port's configuration says.
    pub(crate) fn of(
        config: &PortConfig,
        name: &str,
        ports: usize,
    ) -> Result<Self, InterfaceError> {
        let (port, through_qdisc) = (config.port, config.through_qdisc);
        let refused = |error| refused(port, name, &error);
        // Who may not open packet sockets is told all the same that there is no such interface. Any
        // other error is the search's, not the interface's.
        if if_nametoindex(name) == Err(Errno::ENODEV) {
            return Err(refused(Errno::ENODEV.into()));
        }
        let open = if through_qdisc { FrameSender::open_through_qdisc } else { FrameSender::open };
        let sender = open(name).map_err(refused)?;
        if !sender.socket().is_of_ethernet().map_err(refused)? {
            return Err(InterfaceError::NoEthernet { name: name.to_owned() });
        }
        let ring =
            ReceiveRing::open(sender.socket(), config.ring_bytes_among(ports)).map_err(refused)?;
        let mut notices = Notices::default();
        if let Some(sharers) = sharers(&sender, sender.socket().device.index()) {
            notices.tell("sharers", 0, || {
                format!(
                    "interface {name}: {sharers} receives its frames, too; if that is a switch, each \
                     frame is forwarded twice"
                )
            });
        }
        Ok(Interface {
            port,
            name: name.to_owned(),
            sender,
            through_qdisc,
            waiting: Vec::new(),
            ring,
            long: Vec::new(),
            repaired: Vec::new(),
            tagged: Vec::new(),
            losses: Losses::default(),
            loss_is_flagged: false,
            notices,
        })
    }

    /// When the next frame was received, in nanoseconds since the Unix epoch; none: no frame.
    pub fn next_received_at_ns(&self) -> Option<u64> {
        self.ring.next_received_at_ns()
    }

    /// Takes the next frame, if there is one, and passes it to `take`: frame by frame what it
    /// stands for, if its sender has left the splitting to others.
    pub fn receive(&mut self, mut take: impl FnMut(&[u8])) {
        let Interface { ring, sender, long, repaired, tagged, losses, name, .. } = self;
        let (loss_is_flagged, notices) = (&mut self.loss_is_flagged, &mut self.notices);
        ring.receive(sender.socket(), long, |received| {
            *loss_is_flagged |= received.frames_were_lost;
            let Content::Frame { bytes, vlan_tag, offload } = received.content else {
                losses.received_packets += 1;
                return;
            };
            let mut take = |frame: &[u8]| match vlan_tag {
                Some(tag) if frame.len() >= ADDRESSES_BYTES => {
                    insert(tag, frame, tagged);
                    take(tagged);
                }
                _ => take(frame),
            };
            let Some(offload) = offload else {
                return take(bytes);
            };
            if offload.repair(bytes, repaired, take).is_err() {
                losses.received_packets += 1;
                notices.tell("offload", 0, || {
                    format!(
                        "interface {name}: offloaded frames that cannot be split into packets, such \
                         as those of a tunnel, are lost; turn off segmentation offloads at their \
                         sender (ethtool -K PEER tso off gso off)"
                    )
                });
            }
        });
    }

    /// The frames lost at this interface since the last call.
    pub(crate) fn take_losses(&mut self) -> Losses {
        if std::mem::take(&mut self.loss_is_flagged) {
            self.losses.received_packets += u64::from(self.sender.socket().take_lost_frames());
        }
        std::mem::take(&mut self.losses)
    }

    /// Tells the user once what is wrong with the frames that come, and with those that go.
    pub(crate) fn warn(&mut self, warn: &Warn) {
        self.notices.take().iter().for_each(|notice| warn(notice));
    }

    /// Sends frames in order; those that the interface refuses are lost, those for which the
    /// queueing discipline has no room wait.
    pub fn send<'a>(&mut self, mut frames: impl Iterator<Item = &'a [u8]> + Clone) {
        while self.waiting.is_empty() && frames.clone().next().is_some() {
            let sent = self.sender.send(frames.clone());
            self.losses.sent_packets += sent.lost as u64;
            if sent.lost > 0 {
                self.note_refusal();
            }
            match sent.taken + sent.lost {
                0 => break,
                done => frames.nth(done - 1),
            };
        }
        self.waiting.extend(frames.map(<[u8]>::to_vec));
    }

    /// Lets the user be told why frames are lost, if that can be helped.
    #[cold]
    fn note_refusal(&mut self) {
        let name = &self.name;
        match self.sender.refusal {
            Some(libc::EMSGSIZE) => self.notices.tell("length", 0, || {
                format!(
                    "interface {name}: frames that are longer than its MTU allows are lost; give it \
                     the MTU of the interfaces that they come from (ip link set {name} mtu ...)"
                )
            }),
            Some(libc::ENOBUFS) if self.through_qdisc => self.notices.tell("qdisc", 0, || {
                format!(
                    "interface {name}: its queueing discipline drops frames instead of leaving them \
                     in the port's queues: give it a limit above the socket's buffer (tc qdisc \
                     change ... limit 1mb)"
                )
            }),
            _ => (),
        }
    }

    /// Loses what waits to be sent.
    pub(crate) fn lose_waiting(&mut self) {
        self.losses.sent_packets += self.waiting.len() as u64;
        self.waiting.clear();
    }

    /// Loses what waits to be sent or received.
    pub(crate) fn abandon(&mut self) {
        self.lose_waiting();
        let mut received_packets = 0;
        while self.next_received_at_ns().is_some() {
            self.receive(|_| received_packets += 1);
        }
        self.losses.received_packets += received_packets;
    }

    /// Sends what waits, as far as there is room now.
    pub(crate) fn send_waiting(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        self.send(waiting.iter().map(Vec::as_slice));
    }

    /// How many more frames may be sent before some wait too long; none: as many as there are.
    pub(crate) fn room_packets(&self) -> Option<usize> {
        self.through_qdisc.then(|| SEND_BATCH.saturating_sub(self.waiting.len()))
    }

    /// What sends, if that is a socket of its own.
    pub(crate) fn take_transmitter(&mut self) -> Option<Box<XdpTransmitter>> {
        self.sender.take_transmitter()
    }

    /// A handle by which to see whether the interface is still served. Memory is made for frames of
    /// the MTU, and is made anew for another one, which takes the kernel some milliseconds. A port
    /// that sends through the queueing discipline goes without, and misses no frame: longer ones
    /// take a longer way. Labs, which want it so, change MTUs while they run.
    pub(crate) fn binding(&self) -> Result<Binding, InterfaceError> {
        let binding = self.sender.socket().binding(self.through_qdisc);
        binding.map_err(|error| refused(self.port, &self.name, &error))
    }

    /// What a wait for this interface is for: frames that come and, while some wait, room.
    pub(crate) fn polled(&self) -> PollFd<'_> {
        let room = if self.waiting.is_empty() { PollFlags::empty() } else { PollFlags::POLLOUT };
        PollFd::new(self.as_fd(), PollFlags::POLLIN | room)
    }

    /// Takes the socket's pending error, for example that the interface is down: frames will come
    /// again when it is up.
    pub(crate) fn clear_error(&self) {
        let _ = getsockopt(&self.sender, SocketError);
    }
}

impl AsFd for Interface {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.sender.as_fd()
    }
}

fn insert(tag: [u8; 4], bytes: &[u8], tagged: &mut Vec<u8>) {
    let (addresses, rest) = bytes.split_at(ADDRESSES_BYTES);
    tagged.clear();
    tagged.extend_from_slice(addresses);
    tagged.extend_from_slice(&tag);
    tagged.extend_from_slice(rest);
}

fn list(interfaces: &[String]) -> String {
    match interfaces {
        [] => "none, there are no interfaces".to_owned(),
        _ => interfaces.join(", "),
    }
}

fn names() -> Vec<String> {
    let Ok(interfaces) = if_nameindex() else {
        return Vec::new();
    };
    interfaces.iter().map(|interface| interface.name().to_string_lossy().into_owned()).collect()
}

fn refused(port: u16, name: &str, error: &std::io::Error) -> InterfaceError {
    let name = name.to_owned();
    match error.raw_os_error() {
        // An interface may also vanish while it is opened.
        Some(libc::ENODEV | libc::ENXIO) => InterfaceError::NotFound { port, name, valid: names() },
        Some(libc::EPERM | libc::EACCES) => InterfaceError::MissingRights { name },
        _ => InterfaceError::Refused { name, reason: error.to_string() },
    }
}

#[cfg(test)]
#[path = "tests/interface.rs"]
mod tests;
