"""Where something is served: an address of this machine and a TCP port."""

import errno
import os
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address

from p4abs.errors import P4absError, UserError

# Another process may end, an interface come up: a service manager tries again after status 1.
_MAY_PASS = {errno.EADDRINUSE, errno.EADDRNOTAVAIL, errno.EMFILE, errno.ENFILE, errno.ENOBUFS}


@dataclass(frozen=True)
class ListenAddress:
    """An IP address and a TCP port; port 0 takes any that is free."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches it."""
        return ip_address(self.host).is_loopback


def parse_listen_address(option: str, text: str, example_port: int) -> ListenAddress:
    """The address of `127.0.0.1:9105` or `[::1]:9105`, given by `option`. Raises UserError."""
    host, _, port = text.rpartition(":")
    try:
        if not port.isascii() or not port.isdigit() or int(port) >= 2**16:
            raise ValueError(port)
        return ListenAddress(str(_ip_address(host)), int(port))
    except ValueError:
        raise UserError(f"{option}: {text!r}: not an address; {valid(example_port)}") from None


def valid(example_port: int) -> str:
    """What to write, for messages."""
    return f"write 127.0.0.1:PORT or [::1]:PORT, such as 127.0.0.1:{example_port}"


def unusable(option: str, address: ListenAddress, error: OSError) -> P4absError:
    """The error for an address that cannot be listened at; UserError if it never will be."""
    another = "address of this machine" if error.errno == errno.EADDRNOTAVAIL else "port"
    text = f"{option}: {address}: {os.strerror(error.errno or 0).lower()}; give another {another}"
    return P4absError(text) if error.errno in _MAY_PASS else UserError(text)


def _ip_address(host: str) -> IPv4Address | IPv6Address:
    """Raises ValueError for anything but an IPv4 address, or an IPv6 address in brackets."""
    if host.startswith("[") and host.endswith("]"):
        return IPv6Address(host[1:-1])
    return IPv4Address(host)
