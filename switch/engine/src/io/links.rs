//! What the kernel says of interfaces, and word of what changes.

use std::collections::HashMap;
use std::io::Result;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::time::Duration;

use nix::errno::Errno;
use nix::ifaddrs::{getifaddrs, InterfaceAddress};
use nix::net::if_::{if_nametoindex, InterfaceFlags};
use nix::poll::{PollFd, PollFlags};
use nix::sys::socket::{
    bind, recv, socket, AddressFamily, MsgFlags, NetlinkAddr, SockFlag, SockProtocol, SockType,
};

use super::raw::mtu_bytes;
use super::waker::{wait, Waker};

/// An interface as it is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) index: u32,
    pub(crate) mtu_bytes: usize,
    /// It is switched on and has a carrier.
    pub(crate) is_up: bool,
}

/// The interfaces of the network namespace of the thread that opened this.
///
/// Netlink says that something has changed; what, is then looked up, so that no message need be
/// understood and none can be missed.
#[derive(Debug)]
pub(crate) struct Links {
    messages: OwnedFd,
    /// By index: an interface may have several names.
    is_up: HashMap<u32, bool>,
}

impl Links {
    /// Begins to listen; nothing has been looked up yet.
    pub(crate) fn open() -> Result<Self> {
        let flags = SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK;
        let protocol = SockProtocol::NetlinkRoute;
        let messages = socket(AddressFamily::Netlink, SockType::Raw, flags, protocol)?;
        bind(messages.as_raw_fd(), &NetlinkAddr::new(0, libc::RTMGRP_LINK as u32))?;
        Ok(Links { messages, is_up: HashMap::new() })
    }

    /// Waits until an interface has changed since the last look, `waker` is called, or `timeout`
    /// has passed.
    pub(crate) fn wait(&self, waker: &Waker, timeout: Option<Duration>) -> Result<()> {
        let messages = PollFd::new(self.messages.as_fd(), PollFlags::POLLIN);
        wait(std::iter::once(messages), waker, timeout, |_| ())
    }

    /// Looks up which interfaces there are.
    pub(crate) fn look(&mut self) -> Result<()> {
        self.discard_messages()?;
        let up = InterfaceFlags::IFF_UP | InterfaceFlags::IFF_LOWER_UP;
        let is_up = |found: InterfaceAddress| {
            let index = match found.address {
                Some(address) => address.as_link_addr()?.ifindex() as u32,
                // One without Ethernet header has no address of its own.
                None => if_nametoindex(found.interface_name.as_str()).ok()?,
            };
            Some((index, found.flags.contains(up)))
        };
        self.is_up = getifaddrs()?.filter_map(is_up).collect();
        Ok(())
    }

    /// The interface of that name, as it was at the last look; none: there is none.
    pub(crate) fn find(&self, name: &str) -> Option<Link> {
        let index = if_nametoindex(name).ok()?;
        let is_up = *self.is_up.get(&index)?;
        let mtu_bytes = mtu_bytes(&self.messages, name).ok()?;
        Some(Link { index, mtu_bytes, is_up })
    }

    fn discard_messages(&self) -> Result<()> {
        let mut message = [0];
        loop {
            match recv(self.messages.as_raw_fd(), &mut message, MsgFlags::MSG_TRUNC) {
                // Some did not fit: something has changed, too.
                Ok(_) | Err(Errno::ENOBUFS | Errno::EINTR) => (),
                Err(Errno::EAGAIN) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
    }
}
