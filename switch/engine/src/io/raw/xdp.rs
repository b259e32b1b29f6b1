//! Sending through AF_XDP, which costs less per frame than a packet socket.
//!
//! In copy mode, which every interface serves: the kernel copies frames out of the memory it
//! shares with us within the call that asks it to. No XDP program is attached, so receiving stays
//! as it is.

use std::fmt;
use std::io::{Error, ErrorKind, Result};
use std::os::fd::RawFd;

use ::xdp::nic::NicIndex;
use ::xdp::slab::{HeapSlab, Slab};
use ::xdp::socket::{SocketError, XdpSocket, XdpSocketBuilder};
use ::xdp::umem::{FrameSize, UmemCfgBuilder};
use ::xdp::{CompletionRing, RingConfigBuilder, WakableTxRing};
use ::xdp::{Packet, Umem};

use super::socket::{Device, SEND_BATCH};

/// Frames that the kernel may hold at once: a network card gives them back once they are sent.
const BUFFERS: u32 = 512;
/// Calls in a row that leave frames behind, until the interface is regarded as stuck.
const MAX_CALLS: usize = 1000;

/// What became of frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sent {
    /// The interface took them.
    pub taken: usize,
    /// It did not, and will not.
    pub lost: usize,
}

/// Sends on one interface, in order.
pub(crate) struct XdpTransmitter {
    socket: XdpSocket,
    transmit: WakableTxRing,
    completion: CompletionRing,
    batch: HeapSlab,
    longest_bytes: usize,
    /// Last, because the kernel uses this memory while the socket is open.
    buffers: Umem,
}

// SAFETY: the memory that its pointers lead to is private to this value and the kernel, and needs
// no thread affinity.
unsafe impl Send for XdpTransmitter {}

impl XdpTransmitter {
    /// Opens a socket for an interface. Fails where the kernel has no AF_XDP; as
    /// [`ErrorKind::ResourceBusy`] while somebody else sends on the interface through it, and a
    /// moment longer.
    pub(crate) fn open(interface: Device) -> Result<Self> {
        let memory = UmemCfgBuilder {
            frame_size: FrameSize::TwoK,
            frame_count: BUFFERS,
            ..UmemCfgBuilder::default()
        };
        let rings = RingConfigBuilder {
            rx_count: 0,
            tx_count: SEND_BATCH as u32,
            fill_count: 1,
            completion_count: BUFFERS,
        };
        let mut buffers = Umem::map(memory.build().map_err(Error::other)?)?;
        let longest_bytes = buffer_bytes(&mut buffers).min(interface.longest_frame_bytes());
        let mut socket = XdpSocketBuilder::new().map_err(Error::other)?;
        let rings = rings.build().map_err(Error::other)?;
        let (rings, mut flags) =
            socket.build_wakable_rings(&buffers, rings).map_err(Error::other)?;
        flags.force_copy();
        let bound = socket.bind(NicIndex::new(interface.index), 0, flags);
        let socket = bound.map_err(|error| match error {
            SocketError::Bind(error) => error,
            other => Error::other(other),
        })?;
        let transmit = rings.tx_ring.ok_or(ErrorKind::Unsupported)?;
        Ok(XdpTransmitter {
            socket,
            transmit,
            completion: rings.completion_ring,
            batch: HeapSlab::with_capacity(SEND_BATCH),
            longest_bytes,
            buffers,
        })
    }

    /// Sends the first frames, at most [`SEND_BATCH`], up to one that is too long or empty; returns
    /// what became of them. After an error no more can be sent.
    pub(crate) fn send<'a>(
        &mut self,
        frames: impl Iterator<Item = &'a [u8]>,
    ) -> std::result::Result<Sent, Sent> {
        self.completion.dequeue(&mut self.buffers, BUFFERS as usize);
        let queued = self.queue(frames);
        if queued == 0 {
            return Ok(Sent { taken: 0, lost: 0 });
        }
        if let Ok(refused) = self.hand_over() {
            let lost = refused.min(queued);
            return Ok(Sent { taken: queued - lost, lost });
        }
        self.completion.dequeue(&mut self.buffers, BUFFERS as usize);
        let lost = self.buffers.outstanding().min(queued);
        Err(Sent { taken: queued - lost, lost })
    }

    fn queue<'a>(&mut self, frames: impl Iterator<Item = &'a [u8]>) -> usize {
        // The kernel leaves an empty frame, and all behind it, in the ring.
        let fits = |frame: &&[u8]| !frame.is_empty() && frame.len() <= self.longest_bytes;
        for frame in frames.take(SEND_BATCH).take_while(fits) {
            // SAFETY: the packet goes to a ring of this value, which owns the memory.
            let Some(mut packet) = (unsafe { self.buffers.alloc() }) else {
                break;
            };
            if packet.append(frame).is_err() {
                self.buffers.free_packet(packet);
                break;
            }
            self.batch.push_front(packet);
        }
        // SAFETY: the memory outlives the socket, see the order of the fields. The ring is empty
        // and has room for a batch.
        unsafe { self.transmit.send(&mut self.batch, false) }.unwrap_or_default()
    }

    /// Has the kernel take all queued frames; returns how many the interface refused.
    fn hand_over(&self) -> Result<usize> {
        let mut refused = 0;
        for _ in 0..MAX_CALLS {
            match call(self.socket.raw_fd()) {
                Ok(()) => return Ok(refused),
                // The frame is out of the ring, and dropped.
                Err(error) if error.raw_os_error() == Some(libc::EBUSY) => refused += 1,
                Err(error) if is_transient(&error) => (),
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::TimedOut.into())
    }
}

/// What fits into one buffer.
fn buffer_bytes(buffers: &mut Umem) -> usize {
    // SAFETY: the packet is given back at once.
    let packet = unsafe { buffers.alloc() };
    packet.map_or(0, |packet| {
        let capacity = Packet::capacity(&packet);
        buffers.free_packet(packet);
        capacity
    })
}

/// The kernel takes a limited number of frames per call.
fn is_transient(error: &Error) -> bool {
    let code = error.raw_os_error().unwrap_or_default();
    [libc::EAGAIN, libc::ENOBUFS, libc::EINTR].contains(&code)
}

fn call(fd: RawFd) -> Result<()> {
    // SAFETY: an empty message; no pointers.
    let sent =
        unsafe { libc::sendto(fd, std::ptr::null(), 0, libc::MSG_DONTWAIT, std::ptr::null(), 0) };
    if sent < 0 {
        Err(Error::last_os_error())
    } else {
        Ok(())
    }
}

impl fmt::Debug for XdpTransmitter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("XdpTransmitter").finish_non_exhaustive()
    }
}
