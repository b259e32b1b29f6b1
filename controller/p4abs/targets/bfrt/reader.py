"""What any client may ask by BF Runtime: it binds nothing, so the program stays where it is."""

from dataclasses import replace
from types import TracebackType
from typing import Any, Self

import grpc

from p4abs.access.rpc_error import RpcError
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.enforcer import BfrtInstalled, Enforcer
from p4abs.targets.bfrt.tables import PORTS, PORTS_KEY, BfrtProgram


class BfrtReader:
    """See targets/target.py."""

    def __init__(
        self,
        address: str,
        device_id: int,
        client_id: int,
        enforcer: Enforcer[Any],
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

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.client.close()

    async def installed(self) -> tuple[BfrtInstalled | None, int]:
        """See Reader; a switch by BF Runtime has a program as long as it answers."""
        info = await self.client.info()
        program = BfrtProgram.of(info, self._enforcer.layout)
        ports = await self.client.call("read ports", lambda: self._ports(info))
        ours = replace(program, ports=ports)
        return await self._enforcer.program(self.client, ours), program.cookie

    def _ports(self, info: Any) -> set[int]:
        """Those that have been added to the switch."""
        if PORTS not in info.table_name_list_get():
            raise RpcError("read ports", grpc.StatusCode.NOT_FOUND, f"the SDE has no table {PORTS}")
        found = info.table_get(PORTS).entry_get(
            self.client.target, None, flags={"from_hw": False}, p4_name=info.p4_name_get()
        )
        return {key.to_dict()[PORTS_KEY]["value"] for _, key in found}
