"""A session by BF Runtime: the program is bound by one client, and there is no election."""

from collections.abc import Callable, Sequence
from typing import Any, Self

import grpc

from p4abs.access.connection import Role
from p4abs.access.discovery import Discovered, RegisterPath, tried
from p4abs.access.rpc_error import RpcError
from p4abs.targets.bfrt.enforcer import BfrtInstalled, Enforcer
from p4abs.targets.bfrt.reader import BfrtReader


class BfrtSession(BfrtReader):
    """See targets/target.py. `client_id` tells this client from others of the switch."""

    def __init__(
        self, address: str, device_id: int, client_id: int, enforcer: Enforcer[Any]
    ) -> None:
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
        """See Session."""
        await self.client.until_lost()
        raise RpcError("stream", grpc.StatusCode.UNAVAILABLE, "the switch ended the session")

    async def hand_over(self, patience_s: float) -> bool:
        """See Session; there is nobody to hand over to."""
        return False

    async def push(self, program: BfrtInstalled) -> None:
        """See Session; no program can be loaded to be pushed (bfrt/target.py)."""
        raise NotImplementedError

    async def registers(
        self, program: BfrtInstalled, ports: Sequence[int], wanted: RegisterPath
    ) -> Discovered:
        """See Session."""
        return await tried(self._enforcer.access(self.client, program), ports)

    def memory_tables(self, program: BfrtInstalled) -> None:
        """See Session; a Tofino's traffic manager shares its memory itself."""
