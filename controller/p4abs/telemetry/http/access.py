"""Where something is served, and who may see it: an address, a token, a certificate."""

import errno
import os
from base64 import b64decode
from dataclasses import dataclass
from functools import partial
from hmac import compare_digest
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

from p4abs.access.tls import TlsError, read_pair
from p4abs.errors import P4absError, UserError
from p4abs.files import read_bytes

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
        has_brackets = host.startswith("[") and host.endswith("]")
        parsed = IPv6Address(host[1:-1]) if has_brackets else IPv4Address(host)
        return ListenAddress(str(parsed), int(port))
    except ValueError:
        raise UserError(
            f"{option}: {text!r}: not an IP address and a port; write 127.0.0.1:PORT or "
            f"[::1]:PORT, such as 127.0.0.1:{example_port}"
        ) from None


def unusable(option: str, address: ListenAddress, error: OSError) -> P4absError:
    """The error for an address that cannot be listened at; UserError if it never will be."""
    another = "address of this machine" if error.errno == errno.EADDRNOTAVAIL else "port"
    text = f"{option}: {address}: {os.strerror(error.errno or 0).lower()}; give another {another}"
    return P4absError(text) if error.errno in _MAY_PASS else UserError(text)


METRICS_OPTION, WEB_OPTION = "--metrics", "--web"

_SHORTEST_TOKEN = 16


@dataclass(frozen=True)
class Access:
    """Where something is served, with its token and its TLS files; None: no token, no TLS."""

    address: ListenAddress
    token: str | None = None
    certificate: Path | None = None
    key: Path | None = None

    @property
    def scheme(self) -> str:
        """The scheme of the URL: `http` or `https`."""
        return "http" if self.certificate is None else "https"

    def admits(self, authorization: str) -> bool:
        """Whether a request with this header has the token, as a password or as a bearer token."""
        if self.token is None:
            return True
        return compare_digest(_given_token(authorization).encode(), self.token.encode())

    def is_addressed(self, host: str) -> bool:
        """Whether a request with this Host header was meant for this server.

        Without a token, a foreign page could point its own name at this server and read the answers
        (DNS rebinding).
        """
        if self.token is not None:
            return True
        name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
        if name == "localhost":
            return True
        try:
            return ip_address(name.strip("[]")).is_loopback
        except ValueError:
            return False


def parse_access(
    option: str,
    example_port: int,
    address: str | None,
    token: Path | None = None,
    certificate: Path | None = None,
    key: Path | None = None,
) -> Access | None:
    """What `option`, such as `--web`, and those that begin with its name say together.

    None: nothing is served. Raises UserError.
    """
    if address is None:
        if token or certificate or key:
            raise UserError(f"{option}-token, {option}-certificate and {option}-key need {option}")
        return None
    parsed = parse_listen_address(option, address, example_port)
    if (certificate is None) != (key is None):
        raise UserError(f"{option}-certificate and {option}-key go together")
    if not parsed.is_loopback and (token is None or certificate is None):
        raise UserError(
            f"{option}: {address!r}: other machines can reach this address; give {option}-token, "
            f"{option}-certificate and {option}-key, or a loopback address such as "
            f"127.0.0.1:{example_port}"
        )
    if certificate is not None and key is not None:
        try:
            read_pair(certificate, key)
        except TlsError as error:
            raise UserError(f"{option}-certificate and {option}-key: {error}") from None
    return Access(parsed, None if token is None else read_token(option, token), certificate, key)


metrics_access = partial(parse_access, METRICS_OPTION, 9105)
"""Where metrics are served, by the flags of `--metrics`."""
web_access = partial(parse_access, WEB_OPTION, 8080)
"""Where the page is served, by the flags of `--web`."""


def read_token(option: str, path: Path) -> str:
    """The token in a file that `option` names, without white space around it. Raises UserError."""
    try:
        token = read_bytes(path).decode().strip()
    except OSError as error:
        raise UserError(f"{option}-token: {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        token = ""
    if len(token) < _SHORTEST_TOKEN or not token.isascii() or not token.isprintable():
        raise UserError(
            f"{option}-token: {path}: must hold one line of at least {_SHORTEST_TOKEN} ASCII "
            "characters, such as `openssl rand -hex 16` gives"
        )
    return token


def _given_token(authorization: str) -> str:
    """The bearer token, or the password of any user name; empty: none."""
    kind, _, credentials = authorization.partition(" ")
    if kind.lower() == "bearer":
        return credentials.strip()
    if kind.lower() != "basic":
        return ""
    try:
        return b64decode(credentials, validate=True).decode().partition(":")[2]
    except ValueError:  # no base64, or no UTF-8
        return ""
