"""The entries of the table port_mtu by BF Runtime."""

from collections.abc import Mapping

from p4abs.access.rpc_error import PortRefused
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.entries import Entries
from p4abs.targets.bfrt.tables import BfrtProgram
from p4abs.targets.tofino import mtu


class MtuEntries:
    """Those of a program; one that has no such table bounds no frame."""

    def __init__(self, client: BfrtClient, program: BfrtProgram) -> None:
        name = mtu.named(program.info.table_name_list_get(), mtu.TABLE)
        self._entries = name and Entries(client, program, name)

    async def write(self, mtu_bytes: Mapping[int, int]) -> dict[int, PortRefused]:
        """Writes the ports' largest frames; returns refusals by port. Raises RpcError."""
        if not self._entries or not mtu_bytes:
            return {}
        present = {
            key[mtu.PORT]: data[mtu.WIRE_BYTES]
            for key, data in await self._entries.read("read MTUs")
            if not data.get("is_default_entry")
        }
        action, refused = self._entries.action(mtu.ACTION), dict[int, PortRefused]()
        for port, wire_bytes in mtu.changes(mtu_bytes, present).items():
            refused |= await self._entries.write(
                "write MTU",
                port,
                {mtu.PORT: port},
                action,
                {mtu.WIRE_BYTES: wire_bytes},
                is_new=port not in present,
            )
        return refused
