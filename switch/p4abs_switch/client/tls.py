"""TLS towards a switch."""

from pathlib import Path

import grpc

from p4abs_switch.pem import read_pair, read_roots


def channel_credentials(
    ca: Path, certificate: Path | None, key: Path | None
) -> grpc.ChannelCredentials:
    """What gRPC connects with. Raises UserError, naming the file.

    ca: what the switch's certificate must be signed by. certificate, key: who the client is, if the
    switch asks for it.
    """
    roots = read_roots(ca)
    if certificate is None or key is None:
        return grpc.ssl_channel_credentials(roots)
    chain, private_key = read_pair(certificate, key)
    return grpc.ssl_channel_credentials(roots, private_key, chain)
