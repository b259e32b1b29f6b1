//! Received frames, in memory shared with the kernel.

use std::io::{Error, Result};
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU32, Ordering};

use libc::c_int;
use nix::sys::socket::setsockopt;
use nix::sys::socket::sockopt::{RcvBuf, RcvBufForce};

use super::socket::{set_option, PacketSocket};
use crate::io::offload::{Offload, HEADER_BYTES};
use crate::time::NS_PER_S;

/// Memory for those that are too long for the ring.
const LONG_FRAMES_BYTES: usize = 8 << 20;
/// Of whole pages, whatever the machine's.
const BLOCK_BYTES: usize = 64 << 10;
const CACHE_LINE_BYTES: usize = 64;
/// Ring header, link-layer address, [`HEADER_BYTES`] and alignment in front of each frame, rounded
/// up.
const SLOT_OVERHEAD_BYTES: usize = 96;
/// Enough for a wire's frames in tunnels. Slots for large frames would be few, in much memory: those
/// few that come take the longer way.
const MAX_SLOT_BYTES: usize = 2 << 10;

/// What one slot of the receive ring held.
#[derive(Debug)]
pub(crate) struct Received<'a> {
    pub(crate) content: Content<'a>,
    /// The ring has been full since [`PacketSocket::take_lost_frames`] was last called.
    pub(crate) frames_were_lost: bool,
}

#[derive(Debug)]
pub(crate) enum Content<'a> {
    /// A frame. The kernel has taken its VLAN tag out if `vlan_tag` is given; if `offload` is, its
    /// sender has left something to do.
    Frame { bytes: &'a [u8], vlan_tag: Option<[u8; 4]>, offload: Option<Offload> },
    /// A frame that was too long for the ring, cut.
    Truncated,
}

/// The frames that a socket's interface receives.
#[derive(Debug)]
pub(crate) struct ReceiveRing {
    ring: NonNull<u8>,
    layout: Layout,
    /// Where the next frame comes.
    next: Place,
}

/// Slots lie in blocks, each of which has room for some, and a rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Layout {
    slot_bytes: usize,
    slots_per_block: usize,
    blocks: usize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Place {
    block: usize,
    slot: usize,
}

impl Layout {
    /// As many slots for frames of up to `longest_bytes` as so much memory has room for, by blocks.
    fn new(longest_bytes: usize, ring_bytes: usize) -> Self {
        let slot_bytes = (SLOT_OVERHEAD_BYTES + longest_bytes).next_multiple_of(CACHE_LINE_BYTES);
        let slot_bytes = slot_bytes.min(MAX_SLOT_BYTES);
        let slots_per_block = BLOCK_BYTES / slot_bytes;
        Layout { slot_bytes, slots_per_block, blocks: (ring_bytes / BLOCK_BYTES).max(1) }
    }

    fn bytes(self) -> usize {
        self.blocks * BLOCK_BYTES
    }

    fn offset(self, place: Place) -> usize {
        place.block * BLOCK_BYTES + place.slot * self.slot_bytes
    }

    fn after(self, Place { block, slot }: Place) -> Place {
        if slot + 1 < self.slots_per_block {
            Place { block, slot: slot + 1 }
        } else if block + 1 < self.blocks {
            Place { block: block + 1, slot: 0 }
        } else {
            Place::default()
        }
    }

    fn request(self) -> libc::tpacket_req {
        libc::tpacket_req {
            tp_block_size: BLOCK_BYTES as u32,
            tp_block_nr: self.blocks as u32,
            tp_frame_size: self.slot_bytes as u32,
            tp_frame_nr: (self.blocks * self.slots_per_block) as u32,
        }
    }
}

// SAFETY: the ring is private to this value and needs no thread affinity.
unsafe impl Send for ReceiveRing {}

impl ReceiveRing {
    /// Lets `socket` receive what comes to its interface, promiscuously, but not what is sent
    /// there. The frames wait in about so many bytes of memory.
    pub(crate) fn open(socket: &PacketSocket, bytes: usize) -> Result<Self> {
        let fd = &socket.fd;
        let layout = Layout::new(socket.device.longest_frame_bytes(), bytes);
        set_option(fd, libc::PACKET_VERSION, &(libc::tpacket_versions::TPACKET_V2 as c_int))?;
        set_option(fd, libc::PACKET_IGNORE_OUTGOING, &1)?;
        // Frames that are too long for the ring go into the socket's buffer.
        set_option(fd, libc::PACKET_COPY_THRESH, &1)?;
        // Less than that where there is no right to it.
        let _ = setsockopt(fd, RcvBufForce, &LONG_FRAMES_BYTES)
            .or_else(|_| setsockopt(fd, RcvBuf, &LONG_FRAMES_BYTES));
        set_option(fd, libc::PACKET_RX_RING, &layout.request())?;
        let ring = ReceiveRing { ring: map(fd, layout.bytes())?, layout, next: Place::default() };
        set_option(fd, libc::PACKET_ADD_MEMBERSHIP, &promiscuity(socket.device.index))?;
        socket.bind(libc::ETH_P_ALL)?;
        Ok(ring)
    }

    /// When the next frame was received, in nanoseconds since the Unix epoch; none: no frame.
    pub(crate) fn next_received_at_ns(&self) -> Option<u64> {
        self.filled_slot().map(|slot| {
            let seconds = u64::from(slot.header.tp_sec);
            seconds * NS_PER_S + u64::from(slot.header.tp_nsec)
        })
    }

    /// Takes the next frame, if there is one, and passes it to `take`. If it was too long for the
    /// ring, it comes by `socket`, for which the ring was opened, and by way of `long`.
    pub(crate) fn receive(
        &mut self,
        socket: &PacketSocket,
        long: &mut Vec<u8>,
        take: impl FnOnce(Received<'_>),
    ) {
        let Some(slot) = self.filled_slot() else {
            return;
        };
        let Slot { status, flags, header, address } = slot;
        let (start, length) = (usize::from(header.tp_mac), header.tp_snaplen as usize);
        let with_header = if flags & libc::TP_STATUS_COPY != 0 {
            socket.receive_long(long)
        } else if header.tp_len > header.tp_snaplen
            || start < HEADER_BYTES
            || start + length > self.layout.slot_bytes
        {
            None
        } else {
            // SAFETY: within the slot, checked above; ours until the status is stored below.
            Some(unsafe {
                let address = address.as_ptr().add(start - HEADER_BYTES);
                std::slice::from_raw_parts(address, HEADER_BYTES + length)
            })
        };
        let content = match with_header.and_then(<[u8]>::split_first_chunk) {
            Some((offload, bytes)) => Content::Frame {
                bytes,
                vlan_tag: vlan_tag(flags, &header),
                offload: Offload::parse(offload),
            },
            None => Content::Truncated,
        };
        take(Received { content, frames_were_lost: flags & libc::TP_STATUS_LOSING != 0 });
        status.store(libc::TP_STATUS_KERNEL, Ordering::Release);
        self.next = self.layout.after(self.next);
        self.prefetch_next(start + length);
    }

    /// Brings the next slot into the cache while this one's frame is processed: the kernel wrote it
    /// on another processor, and waiting for it took a tenth of the packet thread's time. The next
    /// frame is assumed to be as long as this one.
    fn prefetch_next(&self, bytes: usize) {
        #[cfg(target_arch = "x86_64")]
        for offset in (0..bytes.min(self.layout.slot_bytes)).step_by(CACHE_LINE_BYTES) {
            use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
            // SAFETY: the address lies in the mapping, and a prefetch reads nothing.
            unsafe {
                let address = self.ring.add(self.layout.offset(self.next) + offset);
                _mm_prefetch::<_MM_HINT_T0>(address.as_ptr().cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = bytes;
    }

    /// The next slot if it is ours.
    fn filled_slot(&self) -> Option<Slot<'_>> {
        // SAFETY: the next slot lies in its block, and that in the mapping; both are aligned to cache
        // lines.
        let address = unsafe { self.ring.add(self.layout.offset(self.next)) };
        // SAFETY: the slot begins with the status word, which kernel and user access atomically.
        let status = unsafe { AtomicU32::from_ptr(address.as_ptr().cast()) };
        let flags = status.load(Ordering::Acquire);
        if flags & libc::TP_STATUS_USER == 0 {
            return None;
        }
        // SAFETY: the slot is ours by its status and begins with a header the kernel has filled in.
        let header = unsafe { ptr::read(address.as_ptr().cast::<libc::tpacket2_hdr>()) };
        Some(Slot { status, flags, header, address })
    }
}

/// A slot of the ring that is ours.
struct Slot<'a> {
    status: &'a AtomicU32,
    flags: u32,
    header: libc::tpacket2_hdr,
    address: NonNull<u8>,
}

impl Drop for ReceiveRing {
    fn drop(&mut self) {
        // SAFETY: the mapping made in `open`, of the same size; no reference into it survives.
        unsafe { libc::munmap(self.ring.as_ptr().cast(), self.layout.bytes()) };
    }
}

fn promiscuity(interface_index: u32) -> libc::packet_mreq {
    libc::packet_mreq {
        mr_ifindex: interface_index as c_int,
        mr_type: libc::PACKET_MR_PROMISC as u16,
        mr_alen: 0,
        mr_address: [0; 8],
    }
}

fn vlan_tag(flags: u32, header: &libc::tpacket2_hdr) -> Option<[u8; 4]> {
    if flags & libc::TP_STATUS_VLAN_VALID == 0 {
        return None;
    }
    let protocol = if flags & libc::TP_STATUS_VLAN_TPID_VALID != 0 {
        header.tp_vlan_tpid
    } else {
        libc::ETH_P_8021Q as u16
    };
    let [p0, p1] = protocol.to_be_bytes();
    let [t0, t1] = header.tp_vlan_tci.to_be_bytes();
    Some([p0, p1, t0, t1])
}

fn map(fd: &OwnedFd, bytes: usize) -> Result<NonNull<u8>> {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping at an address of the kernel's choice.
    let address =
        unsafe { libc::mmap(ptr::null_mut(), bytes, access, libc::MAP_SHARED, fd.as_raw_fd(), 0) };
    match NonNull::new(address.cast()) {
        Some(ring) if address != libc::MAP_FAILED => Ok(ring),
        _ => Err(Error::last_os_error()),
    }
}

#[cfg(test)]
#[path = "tests/ring.rs"]
mod tests;
