//! A raw socket on one interface.

use std::io::{Error, Result};
use std::mem::{size_of, zeroed};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr;

use libc::{c_int, c_void, socklen_t};
use nix::errno::Errno;
use nix::sys::socket::{recv, MsgFlags};

use crate::io::offload::HEADER_BYTES;

/// The most frames that are sent at once.
pub const SEND_BATCH: usize = 64;
/// Ethernet header and one VLAN tag.
const LINK_HEADER_BYTES: usize = 18;
/// The longest that stands for several: an IPv4 packet of the greatest length.
const LONGEST_FRAME_BYTES: usize = LINK_HEADER_BYTES + 65_535;
/// In front of a frame that is sent as it is.
const NOTHING_LEFT_TO_DO: [u8; HEADER_BYTES] = [0; HEADER_BYTES];

/// An interface as it was when a socket for it was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Device {
    pub(super) index: u32,
    mtu_bytes: usize,
}

impl Device {
    /// The interface's number.
    pub(crate) fn index(self) -> u32 {
        self.index
    }

    /// With headers, without what stands for several. An interface that is no wire may have any MTU.
    pub(super) fn longest_frame_bytes(self) -> usize {
        (LINK_HEADER_BYTES + self.mtu_bytes).min(LONGEST_FRAME_BYTES)
    }
}

/// A raw socket that sends on one interface.
#[derive(Debug)]
pub(crate) struct PacketSocket {
    pub(super) fd: OwnedFd,
    pub(crate) device: Device,
}

impl PacketSocket {
    /// Opens a socket for the interface of that name. Needs CAP_NET_RAW.
    pub(crate) fn open(name: &str) -> Result<Self> {
        let kind = libc::SOCK_RAW | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
        // SAFETY: no pointers; the descriptor is checked and owned from here on.
        let fd = unsafe {
            let fd = libc::socket(libc::AF_PACKET, kind, 0);
            check(fd)?;
            OwnedFd::from_raw_fd(fd)
        };
        set_option(&fd, libc::PACKET_VNET_HDR, &1)?;
        let device = Device { mtu_bytes: mtu_bytes(&fd, name)?, index: index(&fd, name)? };
        let socket = PacketSocket { fd, device };
        socket.bind(0)?;
        Ok(socket)
    }

    /// A second handle on the socket, which is open for as long as either is. `for_any_mtu`: it
    /// goes on serving an interface whose MTU changes.
    pub(crate) fn binding(&self, for_any_mtu: bool) -> Result<Binding> {
        Ok(Binding { fd: self.fd.try_clone()?, device: self.device, for_any_mtu })
    }

    /// Whether the interface's frames begin with an Ethernet header.
    pub(crate) fn is_of_ethernet(&self) -> Result<bool> {
        let kind = bound_address(&self.fd)?.sll_hatype;
        Ok(matches!(kind, libc::ARPHRD_ETHER | libc::ARPHRD_LOOPBACK))
    }

    /// From now on frames pass the interface's queueing discipline by.
    pub(crate) fn bypass_qdisc(&self) -> Result<()> {
        set_option(&self.fd, libc::PACKET_QDISC_BYPASS, &1)
    }

    /// Binds to the interface; frames of that protocol will be received.
    pub(super) fn bind(&self, protocol: c_int) -> Result<()> {
        // SAFETY: plain data for which zero is valid.
        let mut address: libc::sockaddr_ll = unsafe { zeroed() };
        address.sll_family = libc::AF_PACKET as u16;
        address.sll_protocol = (protocol as u16).to_be();
        address.sll_ifindex = self.device.index as c_int;
        // SAFETY: the address outlives the call and its size is given.
        check(unsafe {
            libc::bind(
                self.fd.as_raw_fd(),
                (&raw const address).cast(),
                size_of::<libc::sockaddr_ll>() as socklen_t,
            )
        })
    }

    /// Sends the first frames, at most [`SEND_BATCH`]; returns how many the interface took.
    /// An error is that of the first frame.
    pub(crate) fn send<'a>(&self, frames: impl Iterator<Item = &'a [u8]>) -> Result<usize> {
        // SAFETY: plain data for which zero is valid.
        let (mut vectors, mut messages): (
            [[libc::iovec; 2]; SEND_BATCH],
            [libc::mmsghdr; SEND_BATCH],
        ) = unsafe { (zeroed(), zeroed()) };
        let mut count = 0;
        for frame in frames.take(SEND_BATCH) {
            vectors[count] = [&NOTHING_LEFT_TO_DO[..], frame].map(|bytes| libc::iovec {
                iov_base: bytes.as_ptr().cast_mut().cast(),
                iov_len: bytes.len(),
            });
            messages[count].msg_hdr.msg_iov = vectors[count].as_mut_ptr();
            messages[count].msg_hdr.msg_iovlen = 2;
            count += 1;
        }
        // SAFETY: messages point to vectors and these to frames; all outlive the call, which only
        // reads the frames.
        let sent =
            unsafe { libc::sendmmsg(self.fd.as_raw_fd(), messages.as_mut_ptr(), count as u32, 0) };
        check(sent)?;
        Ok(sent as usize)
    }

    /// Takes a frame that was too long for the ring, with the header in front of it.
    pub(crate) fn receive_long<'a>(&self, buffer: &'a mut Vec<u8>) -> Option<&'a [u8]> {
        buffer.resize(HEADER_BYTES + LONGEST_FRAME_BYTES, 0);
        let flags = MsgFlags::MSG_DONTWAIT | MsgFlags::MSG_TRUNC;
        let fd = self.fd.as_raw_fd();
        // An error, such as of an interface that has gone down, is told once in a frame's place.
        let length = match recv(fd, buffer, flags) {
            Err(error) if error != Errno::EAGAIN => recv(fd, buffer, flags),
            received => received,
        };
        buffer.get(..length.ok()?)
    }

    /// How many frames found the ring full since the last call.
    pub(crate) fn take_lost_frames(&self) -> u32 {
        let mut statistics = libc::tpacket_stats { tp_packets: 0, tp_drops: 0 };
        let mut length = size_of::<libc::tpacket_stats>() as socklen_t;
        // SAFETY: the kernel writes at most `length` bytes to a struct of that size.
        let result = unsafe {
            libc::getsockopt(
                self.fd.as_raw_fd(),
                libc::SOL_PACKET,
                libc::PACKET_STATISTICS,
                (&raw mut statistics).cast(),
                &raw mut length,
            )
        };
        check(result).map_or(0, |()| statistics.tp_drops)
    }
}

/// To what a socket was bound.
#[derive(Debug)]
pub(crate) struct Binding {
    fd: OwnedFd,
    device: Device,
    for_any_mtu: bool,
}

impl Binding {
    /// Whether the socket still serves its interface, and that is this one. The kernel unbinds the
    /// sockets of an interface that vanishes, and may give its index to one that comes.
    pub(crate) fn serves(&self, index: u32, mtu_bytes: usize) -> bool {
        self.device.index == index
            && (self.for_any_mtu || self.device.mtu_bytes == mtu_bytes)
            && bound_address(&self.fd).is_ok_and(|bound| bound.sll_ifindex == index as c_int)
    }
}

impl AsFd for PacketSocket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

pub(super) fn set_option<T>(fd: &OwnedFd, option: c_int, value: &T) -> Result<()> {
    // SAFETY: value points to a T that outlives the call, and its size is given.
    check(unsafe {
        libc::setsockopt(
            fd.as_raw_fd(),
            libc::SOL_PACKET,
            option,
            ptr::from_ref(value).cast::<c_void>(),
            size_of::<T>() as socklen_t,
        )
    })
}

/// The MTU of the interface of that name, asked by way of any socket.
pub(crate) fn mtu_bytes(fd: &OwnedFd, name: &str) -> Result<usize> {
    let answer = ask(fd, name, libc::SIOCGIFMTU)?;
    // SAFETY: of an answer to this request, the kernel fills in the MTU member.
    Ok(unsafe { answer.ifr_ifru.ifru_mtu }.max(0) as usize)
}

/// The index of the interface of that name. `if_nametoindex` opens a socket of its own for it, and
/// without descriptors left that tells of a file that is missing.
fn index(fd: &OwnedFd, name: &str) -> Result<u32> {
    let answer = ask(fd, name, libc::SIOCGIFINDEX)?;
    // SAFETY: of an answer to this request, the kernel fills in the index member.
    Ok(unsafe { answer.ifr_ifru.ifru_ifindex }.max(0) as u32)
}

/// The kernel's answer to a request about the interface of that name.
fn ask(fd: &OwnedFd, name: &str, what: libc::Ioctl) -> Result<libc::ifreq> {
    // SAFETY: plain data for which zero is valid.
    let mut request: libc::ifreq = unsafe { zeroed() };
    let longest = request.ifr_name.len() - 1;
    for (to, from) in request.ifr_name[..longest].iter_mut().zip(name.bytes()) {
        *to = from as libc::c_char;
    }
    // SAFETY: the request outlives the call, and has room for every answer.
    check(unsafe { libc::ioctl(fd.as_raw_fd(), what, &raw mut request) })?;
    Ok(request)
}

/// To what a packet socket is bound; its index is -1 if that has vanished.
fn bound_address(fd: &OwnedFd) -> Result<libc::sockaddr_ll> {
    // SAFETY: plain data for which zero is valid.
    let mut address: libc::sockaddr_ll = unsafe { zeroed() };
    let mut length = size_of::<libc::sockaddr_ll>() as socklen_t;
    // SAFETY: the kernel writes at most `length` bytes to a struct of that size.
    let result =
        unsafe { libc::getsockname(fd.as_raw_fd(), (&raw mut address).cast(), &raw mut length) };
    check(result).map(|()| address)
}

pub(super) fn check(result: c_int) -> Result<()> {
    if result < 0 {
        Err(Error::last_os_error())
    } else {
        Ok(())
    }
}
