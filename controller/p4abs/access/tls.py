"""TLS towards a switch: certificates as files in PEM."""

from dataclasses import dataclass
from pathlib import Path

import grpc

from p4abs.errors import UserError


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
        """What gRPC connects with. Raises TlsError, naming the file."""
        return grpc.ssl_channel_credentials(
            root_certificates=_read(self.ca, "CERTIFICATE"),
            private_key=None if self.key is None else _read(self.key, "PRIVATE KEY"),
            certificate_chain=(
                None if self.certificate is None else _read(self.certificate, "CERTIFICATE")
            ),
        )


def _read(path: Path, kind: str) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise TlsError(f"{path}: {error.strerror}") from None
    if f"{kind}-----".encode() not in content:
        raise TlsError(f"{path}: no {kind.lower()} in PEM")
    return content
