"""Who gets an answer: everybody on this machine; from other machines, those who have the token,
over TLS."""

from base64 import b64decode
from dataclasses import dataclass
from hmac import compare_digest
from ipaddress import ip_address
from pathlib import Path

from p4abs.access.tls import TlsError, read_pair
from p4abs.errors import UserError
from p4abs.files import read_bytes
from p4abs.telemetry.http.address import ListenAddress, parse_listen_address

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
        """That of its URL."""
        return "http" if self.certificate is None else "https"

    def admits(self, authorization: str) -> bool:
        """Whether a request with this header has the token, as a password or as a bearer token."""
        if self.token is None:
            return True
        return compare_digest(_given_token(authorization).encode(), self.token.encode())

    def is_meant(self, host: str) -> bool:
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


def metrics_access(
    address: str | None,
    token: Path | None = None,
    certificate: Path | None = None,
    key: Path | None = None,
) -> Access | None:
    """What the flags of `--metrics` say together; None: no metrics. Raises UserError."""
    return parse_access(METRICS_OPTION, 9105, address, token, certificate, key)


def web_access(
    address: str | None,
    token: Path | None = None,
    certificate: Path | None = None,
    key: Path | None = None,
) -> Access | None:
    """What the flags of `--web` say together; None: no page. Raises UserError."""
    return parse_access(WEB_OPTION, 8080, address, token, certificate, key)


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
        _check_certificate(option, certificate, key)
    return Access(parsed, None if token is None else read_token(option, token), certificate, key)


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


def _check_certificate(option: str, certificate: Path, key: Path) -> None:
    try:
        read_pair(certificate, key)
    except TlsError as error:
        raise UserError(f"{option}-certificate and {option}-key: {error}") from None


def _given_token(authorization: str) -> str:
    """The bearer token, or the password of whatever user; empty: none."""
    kind, _, credentials = authorization.partition(" ")
    if kind.lower() == "bearer":
        return credentials.strip()
    if kind.lower() != "basic":
        return ""
    try:
        return b64decode(credentials, validate=True).decode().partition(":")[2]
    except ValueError:  # no base64, or no UTF-8
        return ""
