"""TLS towards a switch: certificates as files in PEM."""

import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc

from p4abs.errors import UserError
from p4abs.files import read_bytes


class TlsError(UserError):
    """A certificate or key cannot be used."""


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """What the switch's certificate must be signed by, and who the controller is.

    certificate, key: given if the switch asks its clients for a certificate.
    """

    ca: Path
    certificate: Path | None = None
    key: Path | None = None

    def channel_credentials(self) -> grpc.ChannelCredentials:
        """What gRPC connects with. Raises TlsError, naming the setting and the file.

        gRPC itself would only report with each attempt that it failed, not why.
        """
        with _named("tls-ca"):
            (roots,) = _checked(lambda: _check_ca(self.ca), self.ca)
        if self.certificate is None or self.key is None:
            return grpc.ssl_channel_credentials(roots)
        with _named("tls-certificate, tls-key"):
            chain, key = read_pair(self.certificate, self.key)
        return grpc.ssl_channel_credentials(roots, key, chain)


@contextmanager
def _named(setting: str) -> Iterator[None]:
    """A TlsError from inside begins with the setting, which is a key and an option."""
    try:
        yield
    except TlsError as error:
        raise TlsError(f"{setting}: {error}") from None


def read_pair(certificate: Path, key: Path) -> tuple[bytes, bytes]:
    """A certificate, with what leads to its issuer, and its private key. Raises TlsError."""
    chain, private_key = _checked(lambda: _check_pair(certificate, key), certificate, key)
    return chain, private_key


def _check_ca(path: Path) -> None:
    try:
        ssl.create_default_context(cafile=path)
    except ssl.SSLError:
        raise TlsError(f"{path}: not a certificate in PEM") from None


def _check_pair(certificate: Path, key: Path) -> None:
    try:
        ssl.create_default_context().load_cert_chain(certificate, key, password="")
    except (ssl.SSLError, ValueError):
        raise TlsError(
            f"{certificate} and {key}: not a certificate and its private key in PEM without a "
            "passphrase"
        ) from None


def _checked(check: Callable[[], object], *paths: Path) -> list[bytes]:
    """The contents of files that `check` looks at by their names.

    Somebody may be renewing the files. gRPC ends the process if it is given an empty key, so what
    it is given must be what has been checked.
    """
    while True:
        contents = [_read(path) for path in paths]
        check()
        if contents == [_read(path) for path in paths]:
            return contents


def _read(path: Path) -> bytes:
    try:
        content = read_bytes(path)
    except OSError as error:
        raise TlsError(f"{path}: {error.strerror}") from None
    if not path.is_file():
        raise TlsError(f"{path}: must be a file, which can be read again, not a pipe or a device")
    return content
