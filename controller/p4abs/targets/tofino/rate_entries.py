"""The entries of the table drain_rate over P4Runtime: at which rate each port's queue empties."""

from collections.abc import Mapping

from finsy.proto import p4r

from p4abs.access.connection import Connection
from p4abs.access.reading import ANSWER_TIMEOUT_S, ReadOnlyConnection
from p4abs.access.register_cells import bitstring
from p4abs.access.rpc_error import PortRefused
from p4abs.targets.tofino.virtual_queue import RateTable


async def read_rates(connection: ReadOnlyConnection, table: RateTable) -> dict[int, int | None]:
    """The rates in bit/s of the ports that have an entry; None: its action is none of ours.

    Raises RpcError.
    """
    wildcard = p4r.Entity(table_entry=p4r.TableEntry(table_id=table.table_id))
    entities = await connection.read([wildcard], ANSWER_TIMEOUT_S)
    entries = [entity.table_entry for entity in entities]
    return {
        int.from_bytes(entry.match[0].exact.value, "big"): table.rate_bps(
            entry.action.action.action_id
        )
        for entry in entries
        if not entry.is_default_action
    }


class RateEntries:
    """PortEntries (mailbox.py), written by the primary controller."""

    def __init__(self, connection: Connection, table: RateTable) -> None:
        self._connection = connection
        self._table = table

    async def write(self, rates_bps: Mapping[int, int]) -> dict[int, PortRefused]:
        """See PortEntries; what is so already is not written again."""
        present = await read_rates(self._connection, self._table)
        changes = {port: rate for port, rate in rates_bps.items() if present.get(port) != rate}
        if not changes:
            return {}
        updates = [
            p4r.Update(
                type=p4r.Update.MODIFY if port in present else p4r.Update.INSERT,
                entity=p4r.Entity(table_entry=self._entry(port, rate)),
            )
            for port, rate in changes.items()
        ]
        failures = await self._connection.write_partly(updates, ANSWER_TIMEOUT_S)
        refused = {[*changes][position]: failure for position, failure in failures.items()}
        return {port: PortRefused(port, failure) for port, failure in refused.items()}

    def _entry(self, port: int, rate_bps: int) -> p4r.TableEntry:
        table = self._table
        value = p4r.FieldMatch.Exact(value=bitstring(port))
        action = p4r.Action(action_id=table.action_ids[rate_bps])
        return p4r.TableEntry(
            table_id=table.table_id,
            match=[p4r.FieldMatch(field_id=table.port_id, exact=value)],
            action=p4r.TableAction(action=action),
        )
