"""The options by which a client connects to a switch, for the commands that write as users ask."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path

from p4abs_switch.client import Connection, RpcError
from p4abs_switch.client.primacy import GREATEST_ELECTION_ID
from p4abs_switch.client.rpc_error import located
from p4abs_switch.client.tls import channel_credentials
from p4abs_switch.command_line.options import FILE, INTEGER, option, options
from p4abs_switch.errors import Failure, UserError
from p4abs_switch.server.config import split_address
from p4abs_switch.server.errors import InvalidConfig

_GREATEST_DEVICE_ID = 2**64 - 1

_OPTIONS = options(
    option("--grpc-addr", "The switch's P4Runtime server.", "HOST:PORT", default="127.0.0.1:9559"),
    option(
        "--device-id", "The switch's device id [0 or 1: the one that runs a program].", type=INTEGER
    ),
    option(
        "--election-id",
        "The client with the highest election id may write.",
        type=INTEGER,
        default=1,
    ),
    option(
        "--tls-ca",
        "Connect with TLS. The file holds the CA that signed the switch's certificate.",
        "FILE.pem",
        type=FILE,
    ),
    option("--tls-certificate", "The client's certificate.", "FILE.pem", type=FILE),
    option("--tls-key", "The certificate's private key.", "FILE.pem", type=FILE),
)


def connecting(command: Callable[..., int]) -> Callable[..., int]:
    """Gives a command these options, and calls it with the `connection` that they describe.

    The command raises UserError for impossible options, and for what the switch refuses.
    """

    @wraps(command)
    def connected(
        *,
        grpc_addr: str,
        device_id: int | None,
        election_id: int,
        tls_ca: Path | None,
        tls_certificate: Path | None,
        tls_key: Path | None,
        **others: object,
    ) -> int:
        _check(grpc_addr, device_id, election_id)
        if (tls_certificate is None) != (tls_key is None) or (tls_key and not tls_ca):
            raise UserError("--tls-certificate and --tls-key go together and need --tls-ca")
        credentials = (
            None if tls_ca is None else channel_credentials(tls_ca, tls_certificate, tls_key)
        )
        connection = Connection(grpc_addr, device_id, election_id, credentials)
        try:
            return command(connection=connection, **others)
        except RpcError as error:
            raise (Failure if error.is_unavailable else UserError)(
                located(grpc_addr, error)
            ) from None

    return _OPTIONS(connected)


def _check(grpc_addr: str, device_id: int | None, election_id: int) -> None:
    try:
        split_address(grpc_addr)
    except InvalidConfig:
        raise UserError(
            f"--grpc-addr: {grpc_addr!r}: must be HOST:PORT, such as '127.0.0.1:9559' or "
            "'[::1]:9559'"
        ) from None
    for name, number, least, greatest in (
        ("--device-id", device_id or 0, 0, _GREATEST_DEVICE_ID),
        ("--election-id", election_id, 1, GREATEST_ELECTION_ID),
    ):
        if not least <= number <= greatest:
            raise UserError(f"{name}: {number}: valid: {least} to {greatest}")
