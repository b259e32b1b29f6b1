"""The entries of the table port_mtu by BF Runtime."""

from collections.abc import Mapping

from p4abs.access.rpc_error import PortRefused
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.tables import BfrtProgram
from p4abs.targets.tofino import mtu


class MtuEntries:
    """Those of a program; one that has no such table bounds no frame."""

    def __init__(self, client: BfrtClient, program: BfrtProgram) -> None:
        self._client = client
        self._program = program
        self._name = mtu.named(program.info.table_name_list_get(), mtu.TABLE)

    async def write(self, mtu_bytes: Mapping[int, int]) -> dict[int, PortRefused]:
        """Writes the ports' largest frames; returns refusals by port. Raises RpcError."""
        if self._name is None or not mtu_bytes:
            return {}
        present = await self._client.call("read MTUs", self._present)
        refused: dict[int, PortRefused] = {}
        for port, wire_bytes in mtu.changes(mtu_bytes, present).items():
            refused |= await self._write(port, wire_bytes, is_new=port not in present)
        return refused

    async def _write(self, port: int, wire_bytes: int, *, is_new: bool) -> dict[int, PortRefused]:
        client, table = self._client, self._program.info.table_get(self._name)
        action = mtu.named(table.info.action_name_list_get(), mtu.ACTION)

        def write() -> None:
            key = table.make_key([client.sde.KeyTuple(mtu.PORT, port)])
            data = table.make_data([client.sde.DataTuple(mtu.WIRE_BYTES, wire_bytes)], action)
            (table.entry_add if is_new else table.entry_mod)(client.target, [key], [data])

        return await client.write("write MTU", write, [port])

    def _present(self) -> dict[int, int]:
        found = self._program.info.table_get(self._name).entry_get(
            self._client.target, None, flags={"from_hw": False}, p4_name=self._program.name
        )
        entries = [(data.to_dict(), key.to_dict()) for data, key in found]
        return {
            key[mtu.PORT]["value"]: data[mtu.WIRE_BYTES]
            for data, key in entries
            if not data.get("is_default_entry")
        }
