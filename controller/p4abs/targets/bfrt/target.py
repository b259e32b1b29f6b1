"""Intel's SDE, whose bf_switchd has loaded a program of p4src/tna: what any client may ask, which
binds nothing, and the client that has bound the program.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Self

import grpc

from p4abs.access.connection import Role
from p4abs.access.discovery import Discovered, RegisterPath, tried
from p4abs.access.election import Election
from p4abs.access.program import ProgramError
from p4abs.access.rpc_error import RpcError
from p4abs.access.tls import TlsFiles
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.enforcer import BfrtInstalled, Enforcer
from p4abs.targets.bfrt.entries import Entries
from p4abs.targets.bfrt.sde import require_sde
from p4abs.targets.bfrt.tables import PORTS, PORTS_KEY, BfrtProgram
from p4abs.targets.target import Target


class BfrtReader:
    """See targets/target.py."""

    def __init__(
        self,
        address: str,
        device_id: int,
        client_id: int,
        enforcer: Enforcer,
        *,
        subscribed: bool = False,
    ) -> None:
        self.client = BfrtClient(address, device_id, client_id, subscribed=subscribed)
        self._enforcer = enforcer

    async def __aenter__(self) -> Self:
        """Raises RpcError."""
        try:
            await self.client.open()
        except BaseException:
            self.client.close()
            raise
        return self

    async def __aexit__(self, *_error: object) -> None:
        self.client.close()

    async def installed(self) -> tuple[BfrtInstalled | None, int]:
        """See Target; a switch by BF Runtime has a program as long as it answers."""
        program = BfrtProgram.of(await self.client.info(), self._enforcer.layout)
        ours = replace(program, ports=await self._ports(program))
        return await self._enforcer.program(self.client, ours), program.cookie

    async def _ports(self, program: BfrtProgram) -> set[int]:
        """Those that have been added to the switch."""
        if PORTS not in program.info.table_name_list_get():
            raise RpcError("read ports", grpc.StatusCode.NOT_FOUND, f"the SDE has no table {PORTS}")
        found = await Entries(self.client, program, PORTS).read("read ports")
        return {key[PORTS_KEY] for key, _ in found}


# Of those who only read; what tells them from others is never needed.
_READER_ID = 2**31


class BfrtSession(BfrtReader):
    """See targets/target.py. `client_id` tells this client from others of the switch."""

    def __init__(self, address: str, device_id: int, client_id: int, enforcer: Enforcer) -> None:
        super().__init__(address, device_id, client_id, enforcer, subscribed=True)
        self.role = Role.UNKNOWN
        self.primary_id: int | None = None

    async def __aenter__(self) -> Self:
        """Binds the program, if it is ours. Raises ForeignPipeline, and RpcError PERMISSION_DENIED
        where another client has it."""
        await super().__aenter__()
        try:
            program, _ = await self.installed()
            if program is not None:
                await self.client.bind(program.name)
        except BaseException:
            self.client.close()
            raise
        self.role = Role.PRIMARY
        return self

    async def until(self, condition: Callable[[], bool]) -> None:
        """See Session; the role of an open session does not change."""
        if not condition():
            await self.watch()

    async def watch(self) -> None:
        await self.client.until_lost()
        raise RpcError("stream", grpc.StatusCode.UNAVAILABLE, "the switch ended the session")

    async def hand_over(self, patience_s: float) -> bool:
        """See Session; there is nobody to hand over to."""
        return False

    async def push(self, program: BfrtInstalled) -> None:
        """See Session; no program can be loaded to be pushed (bfrt/target.py)."""
        raise NotImplementedError

    def claim(self, program: BfrtInstalled) -> None:
        """See Session; there are no roles here."""


class Bfrt(Target[BfrtInstalled, BfrtReader, BfrtSession]):
    """See targets/target.py. There is neither an election nor TLS (targets/traits.py). A Tofino's
    traffic manager shares its memory itself, and of each port one queue is under control."""

    def __init__(self, enforcer: Enforcer) -> None:
        self._enforcer = enforcer

    def require(self) -> None:
        """See Target: the SDE's client."""
        require_sde()

    def load(self, name: str) -> BfrtInstalled:
        """Refuses: bf_switchd loads a program when it starts."""
        raise ProgramError(
            f"push-pipeline {name}: with target bfrt, bf_switchd loads the program; leave this out"
        )

    def session(
        self, address: str, device_id: int, election: Election, _tls: TlsFiles | None
    ) -> BfrtSession:
        """See Target; the election id is the client's."""
        return BfrtSession(address, device_id, election.election_id, self._enforcer)

    def reader(self, address: str, device_id: int, _tls: TlsFiles | None) -> BfrtReader:
        return BfrtReader(address, device_id, _READER_ID, self._enforcer)

    async def installed(self, reader: BfrtReader) -> tuple[BfrtInstalled | None, int]:
        return await reader.installed()

    async def registers(
        self,
        session: BfrtSession,
        program: BfrtInstalled,
        ports: Sequence[int],
        wanted: RegisterPath,
    ) -> Discovered:
        return await tried(self._enforcer.access(session.client, program), ports)
