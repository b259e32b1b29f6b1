"""TLS for the P4Runtime server."""

from dataclasses import dataclass
from pathlib import Path

from p4abs_switch.errors import UserError
from p4abs_switch.pem import read_pair, read_roots
from p4abs_switch.server.errors import InvalidConfig


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """The server's certificate chain and private key, in PEM.

    client_ca: certificates that clients' certificates must be signed by; without them any client
        is let in.
    """

    certificate: Path
    key: Path
    client_ca: Path | None = None

    def read(self) -> "TlsContents":
        """What is in them. Raises InvalidConfig, naming the file."""
        names = f"{self.certificate} and {self.key}"
        try:
            pair = read_pair(self.certificate, self.key)
            if self.client_ca is None:
                return TlsContents(names, *pair)
            return TlsContents(f"{names} and {self.client_ca}", *pair, read_roots(self.client_ca))
        except UserError as error:
            raise InvalidConfig(error.message) from error


@dataclass(frozen=True, slots=True)
class TlsContents:
    """What is in the files; `names`: theirs."""

    names: str
    chain: bytes
    key: bytes
    roots: bytes | None = None
