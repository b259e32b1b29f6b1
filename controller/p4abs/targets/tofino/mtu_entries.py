"""The entries of the table port_mtu over P4Runtime."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from finsy.proto import p4i, p4r

from p4abs.access.connection import Connection
from p4abs.access.reading import ANSWER_TIMEOUT_S
from p4abs.access.register_cells import bitstring
from p4abs.access.rpc_error import PortRefused
from p4abs.targets.tofino import mtu


@dataclass(frozen=True)
class MtuTable:
    """Its id, and those of its key, its action and what this takes."""

    table_id: int
    port_id: int
    action_id: int
    wire_bytes_id: int

    @classmethod
    def of(cls, p4info: p4i.P4Info) -> Self | None:
        """None: the program has no such table, and bounds no frame."""
        tables = {table.preamble.name: table for table in p4info.tables}
        name = mtu.named(tables, mtu.TABLE)
        if name is None:
            return None
        ids = {ref.id for ref in tables[name].action_refs}
        actions = {each.preamble.name: each for each in p4info.actions if each.preamble.id in ids}
        action = actions[mtu.named(actions, mtu.ACTION) or ""]
        [parameter] = action.params
        table = tables[name]
        return cls(table.preamble.id, table.match_fields[0].id, action.preamble.id, parameter.id)


class MtuEntries:
    """Written by the primary controller."""

    def __init__(self, connection: Connection, table: MtuTable | None) -> None:
        self._connection = connection
        self._table = table

    async def write(self, mtu_bytes: Mapping[int, int]) -> dict[int, PortRefused]:
        """Writes the ports' largest frames; returns refusals by port. Raises RpcError."""
        if self._table is None or not mtu_bytes:
            return {}
        present = await self._present(self._table)
        changes = mtu.changes(mtu_bytes, present)
        if not changes:
            return {}
        updates = [
            p4r.Update(
                type=p4r.Update.MODIFY if port in present else p4r.Update.INSERT,
                entity=p4r.Entity(table_entry=_entry(self._table, port, wire_bytes)),
            )
            for port, wire_bytes in changes.items()
        ]
        failures = await self._connection.write_partly(updates, ANSWER_TIMEOUT_S)
        refused = {[*changes][position]: failure for position, failure in failures.items()}
        return {port: PortRefused(port, failure) for port, failure in refused.items()}

    async def _present(self, table: MtuTable) -> dict[int, int]:
        wildcard = p4r.Entity(table_entry=p4r.TableEntry(table_id=table.table_id))
        entities = await self._connection.read([wildcard], ANSWER_TIMEOUT_S)
        entries = [entity.table_entry for entity in entities]
        return {
            int.from_bytes(entry.match[0].exact.value, "big"): int.from_bytes(
                entry.action.action.params[0].value, "big"
            )
            for entry in entries
            if not entry.is_default_action
        }


def _entry(table: MtuTable, port: int, wire_bytes: int) -> p4r.TableEntry:
    key = p4r.FieldMatch.Exact(value=bitstring(port))
    taken = p4r.Action.Param(param_id=table.wire_bytes_id, value=bitstring(wire_bytes))
    action = p4r.Action(action_id=table.action_id, params=[taken])
    return p4r.TableEntry(
        table_id=table.table_id,
        match=[p4r.FieldMatch(field_id=table.port_id, exact=key)],
        action=p4r.TableAction(action=action),
    )
