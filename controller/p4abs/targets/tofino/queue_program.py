"""The program whose queue is the traffic manager's own (p4src/tna/queue), by its P4Info, and the
entries of its table port_of_queue: which of a pipe's queues is a port's.

The traffic manager's configuration decides this. P4Runtime does not reach it, so the entries are
only read.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

import grpc
from finsy.proto import p4i

from p4abs.access.capabilities import Capabilities
from p4abs.access.reading import ANSWER_TIMEOUT_S, ReadOnlyConnection
from p4abs.access.rpc_error import PortRefused, RpcError
from p4abs.access.tables.form import EntryForm, forms_of
from p4abs.targets.tofino import offer
from p4abs.targets.tofino.program import TofinoProgram
from p4abs.targets.tofino.replies import QueueReplies

TABLE = "port_of_queue"
_KEYS = [("pipe", 2), ("queue", 11)]
NO_QUEUE = (
    f"no entry of the table {TABLE} has this port; write one (docs/how-to/tofino-by-stratum.md)"
)


class QueueProgram(TofinoProgram):
    """See TofinoProgram."""

    replies = QueueReplies

    @staticmethod
    def lacking(p4info: p4i.P4Info) -> Iterator[str]:
        if len([table for table in p4info.tables if _is_queue_table(table)]) != 1:
            yield f"the table {TABLE}"

    def capabilities(self) -> Capabilities:
        return offer.of_queues(self.port_unsupported)

    @cached_property
    def queue_table(self) -> EntryForm:
        """The only action of its entries names a port."""
        return forms_of(self.p4info, [TABLE])[TABLE]

    async def ports(self, connection: ReadOnlyConnection) -> Collection[int]:
        """Those that a queue is said to be of. Raises RpcError."""
        answers = await connection.read([self.queue_table.all()], ANSWER_TIMEOUT_S)
        return {port for (port,) in self.queue_table.entries(answers).values()}

    async def prepare(
        self, connection: ReadOnlyConnection, rates_bps: Mapping[int, int]
    ) -> dict[int, PortRefused]:
        """See TofinoProgram. The switch's operator has written the entries; a port without a queue
        is refused, as its limit would never drop."""
        known = await self.ports(connection)
        no_queue = RpcError("configure", grpc.StatusCode.FAILED_PRECONDITION, NO_QUEUE)
        return {port: PortRefused(port, no_queue) for port in rates_bps if port not in known}


def _is_queue_table(table: p4i.Table) -> bool:
    keys = [(field.name, field.bitwidth) for field in table.match_fields]
    return table.preamble.name.rpartition(".")[2] == TABLE and keys == _KEYS
