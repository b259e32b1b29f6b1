//! The simplest way to send: a system call for each frame.

use std::io::{Error, ErrorKind, Result};
use std::os::fd::{AsRawFd, OwnedFd};

use engine::Sent;
use nix::ifaddrs::getifaddrs;
use nix::sys::socket::{sendto, socket, AddressFamily, LinkAddr, MsgFlags, SockFlag, SockType};

use crate::load::Way;

pub(crate) struct Plain {
    socket: OwnedFd,
    address: LinkAddr,
}

impl Way for Plain {
    fn open(interface: &str) -> Result<Self> {
        let address = getifaddrs()?
            .filter(|found| found.interface_name == interface)
            .find_map(|found| found.address?.as_link_addr().copied())
            .ok_or_else(|| Error::from(ErrorKind::NotFound))?;
        let socket = socket(AddressFamily::Packet, SockType::Raw, SockFlag::SOCK_CLOEXEC, None)?;
        Ok(Plain { socket, address })
    }

    fn send<'a>(&mut self, frames: impl Iterator<Item = &'a [u8]> + Clone) -> Sent {
        let mut sent = Sent { taken: 0, lost: 0 };
        for frame in frames {
            match sendto(self.socket.as_raw_fd(), frame, &self.address, MsgFlags::empty()) {
                Ok(_) => sent.taken += 1,
                Err(_) => sent.lost += 1,
            }
        }
        sent
    }
}
