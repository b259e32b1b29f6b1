"""Where metrics may be served: on this machine only, since they ask nobody who he is."""

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address

from p4abs.errors import UserError

_VALID = "write 127.0.0.1:PORT or [::1]:PORT, such as 127.0.0.1:9105"


@dataclass(frozen=True)
class MetricsAddress:
    """A loopback address and a TCP port; port 0 takes any that is free."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_metrics_address(text: str) -> MetricsAddress:
    """The address of `127.0.0.1:9105` or `[::1]:9105`. Raises UserError for any other host."""
    host, _, port = text.rpartition(":")
    if not port.isascii() or not port.isdigit() or int(port) >= 2**16:
        raise UserError(f"--metrics: {text!r} is no address: {_VALID}")
    try:
        ip = _ip_address(host)
    except ValueError:
        raise UserError(f"--metrics: {text!r} is no address: {_VALID}") from None
    if not ip.is_loopback:
        raise UserError(
            f"--metrics: {text!r} is no loopback address, and metrics have no authentication: "
            f"{_VALID}"
        )
    return MetricsAddress(str(ip), int(port))


def _ip_address(host: str) -> IPv4Address | IPv6Address:
    """Raises ValueError for anything but an IPv4 address, or an IPv6 address in brackets."""
    if host.startswith("[") and host.endswith("]"):
        return IPv6Address(host[1:-1])
    return IPv4Address(host)
