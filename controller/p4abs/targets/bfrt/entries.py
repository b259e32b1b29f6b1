"""Entries of a program's tables by BF Runtime."""

from collections.abc import Mapping
from typing import Any

from p4abs.access.rpc_error import PortRefused
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.tables import BfrtProgram
from p4abs.targets.tofino.mtu import named


class Entries:
    """Those of one table, by its full name."""

    def __init__(self, client: BfrtClient, program: BfrtProgram, table: str) -> None:
        self._client = client
        self._p4_name = program.name
        self._table = program.info.table_get(table)

    async def read(self, operation: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """The keys and data of all, from the driver's copy. Raises RpcError."""

        def read() -> list[tuple[dict[str, Any], dict[str, Any]]]:
            found = self._table.entry_get(
                self._client.target, None, flags={"from_hw": False}, p4_name=self._p4_name
            )
            return [
                ({name: each["value"] for name, each in key.to_dict().items()}, data.to_dict())
                for data, key in found
            ]

        return await self._client.call(operation, read)

    def action(self, name: str) -> str | None:
        """The full name of one of the table's actions."""
        return named(self._table.info.action_name_list_get(), name)

    async def write(
        self,
        operation: str,
        port: int,
        key: Mapping[str, int],
        action: str | None,
        values: Mapping[str, int],
        *,
        is_new: bool,
    ) -> dict[int, PortRefused]:
        """Adds or changes a port's entry; returns its refusal. Raises RpcError."""
        table, client = self._table, self._client

        def write() -> None:
            data = [client.sde.DataTuple(*value) for value in values.items()]
            (table.entry_add if is_new else table.entry_mod)(
                client.target, [client.key(table, key)], [table.make_data(data, action)]
            )

        return await client.write(operation, write, [port])
