"""The options by which a client connects to a switch, for the commands that write as users ask."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Self

import click

from p4abs.access.connection import Connection
from p4abs.access.election import MAX_ELECTION_ID, how_to_outbid
from p4abs.access.reading import ReadOnlyConnection
from p4abs.access.rpc_error import RpcError, located
from p4abs.access.tls import TlsFiles
from p4abs.cli.options import INTEGER, PATH, options
from p4abs.config import host_and_port
from p4abs.config.values import MAX_DEVICE_ID
from p4abs.errors import P4absError, UserError

# BMv2's device id, and that of servers for which 0 is no device, as P4Runtime says.
_DEFAULT_DEVICE_IDS = (0, 1)

_OPTIONS = options(
    click.option(
        "--grpc-addr",
        default="127.0.0.1:9559",
        show_default=True,
        metavar="HOST:PORT",
        help="The switch's P4Runtime server.",
    ),
    click.option(
        "--device-id",
        type=INTEGER,
        help="The switch's device id [0 or 1: the one that runs a program].",
    ),
    click.option(
        "--election-id",
        type=INTEGER,
        default=1,
        show_default=True,
        help="The client with the highest election id may write.",
    ),
    click.option(
        "--tls-ca",
        type=PATH,
        metavar="FILE.pem",
        help="Connect with TLS. The file holds the CA that signed the switch's certificate.",
    ),
    click.option(
        "--tls-certificate", type=PATH, metavar="FILE.pem", help="The client's certificate."
    ),
    click.option("--tls-key", type=PATH, metavar="FILE.pem", help="The certificate's private key."),
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
        tls = None if tls_ca is None else TlsFiles(tls_ca, tls_certificate, tls_key)
        kind = _ConnectionToDefaultDevice if device_id is None else Connection
        connection = kind(grpc_addr, device_id or 0, election_id, tls)
        try:
            return command(connection=connection, **others)
        except RpcError as error:
            if error.is_election_id_used:
                raise UserError(
                    f"{grpc_addr}: another controller has the election id {election_id}; "
                    f"stop it, or {how_to_outbid(election_id)}"
                ) from None
            raise (P4absError if error.is_unavailable else UserError)(
                located(grpc_addr, error)
            ) from None

    return _OPTIONS(connected)


class _ConnectionToDefaultDevice(Connection):
    """Entering finds the device: the first default one that has a program, or else is known."""

    async def __aenter__(self) -> Self:
        self.device_id = await self._find()
        return await super().__aenter__()

    async def _find(self) -> int:
        known = []
        for device_id in _DEFAULT_DEVICE_IDS:
            try:
                async with ReadOnlyConnection(self.address, device_id, self._tls) as connection:
                    p4info, _ = await connection.installed_p4info()
            except RpcError as error:
                if error.is_unavailable:
                    raise
                continue
            if p4info is not None:
                return device_id
            known.append(device_id)
        return known[0] if known else _DEFAULT_DEVICE_IDS[-1]


def _check(grpc_addr: str, device_id: int | None, election_id: int) -> None:
    try:
        host_and_port(grpc_addr)
    except ValueError as error:
        raise UserError(f"--grpc-addr: {grpc_addr!r}: {error}") from None
    for option, number, minimum, maximum in (
        ("--device-id", device_id or 0, 0, MAX_DEVICE_ID),
        ("--election-id", election_id, 1, MAX_ELECTION_ID),
    ):
        if not minimum <= number <= maximum:
            raise UserError(f"{option}: {number}: valid: {minimum} to {maximum}")
