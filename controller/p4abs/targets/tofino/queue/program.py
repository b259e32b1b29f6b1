"""The program whose queue is the traffic manager's own, by its P4Info, and the entries of its table
port_of_queue: which of a pipe's queues is a port's.

The traffic manager's configuration decides this. P4Runtime does not reach it, so the entries are
only read.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import grpc
from finsy.proto import p4i, p4r

from p4abs.access.capabilities import Capabilities
from p4abs.access.reading import ANSWER_TIMEOUT_S, ReadOnlyConnection
from p4abs.access.rpc_error import PortRefused, RpcError
from p4abs.targets.tofino.program import TofinoProgram
from p4abs.targets.tofino.queue import offer

TABLE = "port_of_queue"
_ACTION = "of_port"
_KEYS = [("pipe", 2), ("queue", 11)]


@dataclass(frozen=True)
class QueueTable:
    """The ids of the table port_of_queue and of its action that names a port."""

    table_id: int
    action_id: int


class QueueProgram(TofinoProgram):
    """See TofinoProgram."""

    @staticmethod
    def lacking(p4info: p4i.P4Info) -> Iterator[str]:
        if len(_queue_tables(p4info)) != 1:
            yield f"the table {TABLE}"

    def capabilities(self) -> Capabilities:
        return offer.capabilities(self.port_unsupported)

    @cached_property
    def queue_table(self) -> QueueTable:
        [table] = _queue_tables(self.p4info)
        names = {action.preamble.id: action.preamble.name for action in self.p4info.actions}
        [action_id] = [ref.id for ref in table.action_refs if _last(names[ref.id]) == _ACTION]
        return QueueTable(table.preamble.id, action_id)


def _queue_tables(p4info: p4i.P4Info) -> list[p4i.Table]:
    return [table for table in p4info.tables if _is_queue_table(table)]


def _is_queue_table(table: p4i.Table) -> bool:
    keys = [(field.name, field.bitwidth) for field in table.match_fields]
    return _last(table.preamble.name) == TABLE and keys == _KEYS


def _last(name: str) -> str:
    return name.rpartition(".")[2]


NO_QUEUE = (
    f"no entry of the table {TABLE} has this port; write one (docs/how-to/tofino-by-stratum.md)"
)


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
