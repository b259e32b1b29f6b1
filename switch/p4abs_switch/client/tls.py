"""TLS towards a switch: certificates as files in PEM."""

import ssl
from pathlib import Path

import grpc

from p4abs_switch.errors import UserError
from p4abs_switch.files import read_bytes


def channel_credentials(
    ca: Path, certificate: Path | None, key: Path | None
) -> grpc.ChannelCredentials:
    """What gRPC connects with. Raises UserError, naming the file.

    gRPC itself would only report with each attempt that it failed, not why.

    ca: what the switch's certificate must be signed by. certificate, key: who the client is, if the
    switch asks for it.
    """
    roots = _read(ca)
    try:
        ssl.create_default_context(cafile=ca)
    except ssl.SSLError:
        raise UserError(f"{ca}: not a certificate in PEM") from None
    if certificate is None or key is None:
        return grpc.ssl_channel_credentials(roots)
    chain, private_key = _read(certificate), _read(key)
    try:
        ssl.create_default_context().load_cert_chain(certificate, key, password="")
    except (ssl.SSLError, ValueError):
        raise UserError(
            f"{certificate} and {key}: not a certificate and its private key in PEM, "
            "without a passphrase"
        ) from None
    return grpc.ssl_channel_credentials(roots, private_key, chain)


def _read(path: Path) -> bytes:
    try:
        content = read_bytes(path)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    if not path.is_file():
        raise UserError(f"{path}: must be a file, which can be read again, not a pipe or a device")
    return content
