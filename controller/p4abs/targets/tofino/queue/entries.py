"""The entries of the table port_of_queue over P4Runtime: which of a pipe's queues is a port's.

The traffic manager's configuration decides this. P4Runtime does not reach it, so the entries are
only read.
"""

from collections.abc import Collection, Mapping

import grpc
from finsy.proto import p4r

from p4abs.access.reading import ANSWER_TIMEOUT_S, ReadOnlyConnection
from p4abs.access.rpc_error import PortRefused, RpcError
from p4abs.targets.tofino.queue.program import TABLE, QueueTable

NO_QUEUE = f"no entry of the table {TABLE} has this port; write one (docs/tofino.md)"


async def read_ports(connection: ReadOnlyConnection, table: QueueTable) -> Collection[int]:
    """The ports that a queue is said to be of. Raises RpcError."""
    wildcard = p4r.Entity(table_entry=p4r.TableEntry(table_id=table.table_id))
    entities = await connection.read([wildcard], ANSWER_TIMEOUT_S)
    actions = [entity.table_entry.action.action for entity in entities]
    return {
        int.from_bytes(action.params[0].value, "big")
        for action in actions
        if action.action_id == table.action_id
    }


class QueueEntries:
    """PortEntries (mailbox.py), which the switch's operator has written."""

    def __init__(self, connection: ReadOnlyConnection, table: QueueTable) -> None:
        self._connection = connection
        self._table = table

    async def write(self, rates_bps: Mapping[int, int]) -> dict[int, PortRefused]:
        """See PortEntries; a port without a queue is refused, as its limit would never drop."""
        known = await read_ports(self._connection, self._table)
        no_queue = RpcError("configure", grpc.StatusCode.FAILED_PRECONDITION, NO_QUEUE)
        return {port: PortRefused(port, no_queue) for port in rates_bps if port not in known}
