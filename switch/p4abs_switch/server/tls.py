"""TLS for the P4Runtime server: certificates as files in PEM."""

import ssl
from dataclasses import dataclass
from pathlib import Path

from p4abs_switch.files import read_bytes
from p4abs_switch.server.errors import InvalidConfig


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """The server's certificate chain and private key.

    client_ca: certificates that clients' certificates must be signed by; without them any client
        is let in.
    """

    certificate: Path
    key: Path
    client_ca: Path | None = None

    def read(self) -> "TlsContents":
        """What is in them. Raises InvalidConfig, naming the file."""
        chain, key = _read(self.certificate), _read(self.key)
        self._check_pair()
        if self.client_ca is None:
            return TlsContents(self._names, chain, key)
        roots = _read(self.client_ca)
        self._check_roots(self.client_ca)
        return TlsContents(f"{self._names} and {self.client_ca}", chain, key, roots)

    @property
    def _names(self) -> str:
        return f"{self.certificate} and {self.key}"

    def _check_pair(self) -> None:
        """The server would name no file."""
        try:
            ssl.create_default_context().load_cert_chain(self.certificate, self.key, password="")
        except (ssl.SSLError, ValueError) as error:
            raise InvalidConfig(
                f"{self._names} are not a certificate and its private key"
                f" in PEM, without passphrase: {_reason(error)}"
            ) from error

    def _check_roots(self, path: Path) -> None:
        try:
            ssl.create_default_context(cafile=path)
        except ssl.SSLError as error:
            raise InvalidConfig(f"{path} has no certificate in PEM: {_reason(error)}") from error


@dataclass(frozen=True, slots=True)
class TlsContents:
    """What is in the files; `names`: theirs."""

    names: str
    chain: bytes
    key: bytes
    roots: bytes | None = None


def _read(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except OSError as error:
        raise InvalidConfig(f"{path}: {error.strerror}") from error


def _reason(error: Exception) -> str:
    return getattr(error, "reason", None) or str(error)
