"""Limits of the program on the traffic manager's queues, as an Enforcer (bfrt/enforcer.py)."""

from collections.abc import Mapping, Sequence

from p4abs.access.register_access import ExchangeTimeout, Snapshots
from p4abs.errors import P4absError
from p4abs.measurements import DROPPED, Snapshot
from p4abs.targets.bfrt.access import BfrtTables, PortWords, count_of_all, limit_of_all
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.mtu import MtuEntries
from p4abs.targets.bfrt.queue import reports
from p4abs.targets.bfrt.queue.program import QUEUE, QueueProgram
from p4abs.targets.bfrt.queue.reports import QueueReports
from p4abs.targets.bfrt.tables import BfrtProgram
from p4abs.targets.bfrt.tm.counts import wire_bytes
from p4abs.targets.bfrt.tm.enforcer import read_queues
from p4abs.targets.bfrt.tm.queues import Standing, TmQueues
from p4abs.targets.traits import Enforcement


class QueueAccess:
    """A RegisterAccess. All bytes are of the wire: what was dropped is the program's own count,
    what departed the port's, from the chip, what was admitted that and the cells that stand there.

    A snapshot's time is this machine's, at which the port's own counters were read.
    """

    path = "BF Runtime, queues of the traffic manager"

    def __init__(self, client: BfrtClient, program: QueueProgram) -> None:
        self._cell_bytes = program.queues.cell_bytes
        self._tables = BfrtTables(client, program.program)
        self._queues = TmQueues(client, program.queues)
        self._reports = QueueReports(client, program)
        self._mtus = MtuEntries(client, program.program)
        self._taken: dict[int, Snapshot] = {}

    async def exchange(self, ports: Sequence[int], limits: Mapping[int, int]) -> Snapshots:
        """See RegisterAccess; limits first, then what the program and the ports have counted."""
        try:
            refused = await self._tables.write_limits(limits)
            words = await self._tables.words(ports)
            readings, unread = await self._queues.standing(ports)
        except ExchangeTimeout as late:
            return Snapshots({}, dict.fromkeys(ports, late))
        refused |= unread
        taken = {
            port: self._snapshot(port, words[port], readings[port])
            for port in ports
            if port not in refused
        }
        return Snapshots(taken, {**refused})

    async def configure(
        self,
        drain_rates_bps: Mapping[int, int],
        ecn_marking: Mapping[int, bool],
        mtu_bytes: Mapping[int, int] = {},
    ) -> dict[int, P4absError]:
        """See RegisterAccess; a queue empties at its port's rate."""
        refused = await self._reports.of([*ecn_marking])
        return {**refused, **await self._mtus.write(mtu_bytes)}

    def _snapshot(self, port: int, words: PortWords, reading: Standing) -> Snapshot:
        departed_bytes = wire_bytes(reading.sent_frames, reading.sent_octets)
        admitted_bytes = departed_bytes + reading.backlog_cells * self._cell_bytes
        before = self._taken.get(port)
        # Begins anew where somebody has cleared the port's counts.
        if before is not None and before.departed_bytes <= departed_bytes:
            # Backlogs are whole cells, and read a little later than what was sent.
            admitted_bytes = max(before.admitted_bytes, admitted_bytes)
        self._taken[port] = snapshot = Snapshot(
            reading.at_us,
            admitted_bytes,
            count_of_all(words, DROPPED),
            departed_bytes,
            limit_of_all(words["limit"]),
            unsaturated_us=reading.at_us,
            unsaturated_bytes=departed_bytes,
        )
        return snapshot


class Queue:
    """See Enforcer."""

    layout = QUEUE

    async def program(self, client: BfrtClient, program: BfrtProgram) -> QueueProgram:
        more = (reports.OF_QUEUE, reports.OF_PIPE)
        return QueueProgram(await read_queues(client, program, Enforcement.QUEUE, *more))

    def access(self, client: BfrtClient, program: QueueProgram) -> QueueAccess:
        return QueueAccess(client, program)
