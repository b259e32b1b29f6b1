"""Where a switch is reached, as HOST:PORT."""

import re
from ipaddress import IPv6Address, ip_address

_HOST_NAME = re.compile(r"[^\s:/\[\]]+")


def host_and_port(address: str) -> str:
    """The address, if it is of the form `127.0.0.1:9559`, `[::1]:9559` or `name:9559`.

    Raises ValueError.
    """
    host, _, port = address.rpartition(":")
    if not _is_host(host) or not _is_port(port):
        raise ValueError("must be HOST:PORT, such as '127.0.0.1:9559' or '[::1]:9559'")
    return address


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 5 and 0 < int(text) < 2**16


def _is_host(text: str) -> bool:
    if not text.startswith("["):
        return _HOST_NAME.fullmatch(text) is not None
    try:
        return text.endswith("]") and bool(IPv6Address(text[1:-1]))
    except ValueError:
        return False


def plain(address: str) -> tuple[str, int]:
    """Host and port in one spelling; names are not looked up."""
    host, _, port = address.rpartition(":")
    return _plain_host(host), int(port)


def is_name(host: str) -> bool:
    """Whether a plain host may be another one's name."""
    try:
        return not ip_address(host)
    except ValueError:
        return True


def _plain_host(host: str) -> str:
    try:
        address = ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return "127.0.0.1" if host.lower() == "localhost" else host.lower()
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address)
