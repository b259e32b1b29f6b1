"""What any client may ask by BF Runtime: it binds nothing, so the program stays where it is."""

from dataclasses import replace
from types import TracebackType
from typing import Any, Self

import grpc

from p4abs.access.rpc_error import RpcError
from p4abs.targets.bfrt.access import BfrtTables
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.tables import PORTS, PORTS_KEY, BfrtProgram


class BfrtReader:
    """See targets/target.py."""

    def __init__(
        self, address: str, device_id: int, client_id: int, *, subscribed: bool = False
    ) -> None:
        self._client = BfrtClient(address, device_id, client_id, subscribed=subscribed)

    async def __aenter__(self) -> Self:
        """Raises RpcError."""
        try:
            await self._client.open()
        except BaseException:
            self._client.close()
            raise
        return self

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._client.close()

    async def installed(self) -> tuple[BfrtProgram | None, int]:
        """See Reader; a switch by BF Runtime has a program as long as it answers."""
        info = await self._client.info()
        program = BfrtProgram.of(info)
        ports = await self._client.call("read ports", lambda: self._ports(info))
        return replace(program, ports=ports), program.cookie

    def tables(self, program: BfrtProgram) -> BfrtTables:
        """Its registers and rates."""
        return BfrtTables(self._client, program)

    def _ports(self, info: Any) -> set[int]:
        """Those that have been added to the switch."""
        if PORTS not in info.table_name_list_get():
            raise RpcError("read ports", grpc.StatusCode.NOT_FOUND, f"the SDE has no table {PORTS}")
        found = info.table_get(PORTS).entry_get(
            self._client.target, None, flags={"from_hw": False}, p4_name=info.p4_name_get()
        )
        return {key.to_dict()[PORTS_KEY]["value"] for _, key in found}
