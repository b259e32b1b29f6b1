"""Limits of the traffic manager's queues, as an Enforcer (bfrt/enforcer.py)."""

from collections.abc import Mapping, Sequence

from p4abs.access.register_access import ExchangeTimeout, Snapshots
from p4abs.access.rpc_error import PortRefused
from p4abs.errors import P4absError
from p4abs.measurements import Snapshot
from p4abs.targets.bfrt.access import BfrtAccess
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.enforcer import Enforcer
from p4abs.targets.bfrt.tables import VIRTUAL_QUEUE
from p4abs.targets.bfrt.tm.counts import QueueCounts
from p4abs.targets.bfrt.tm.program import TmProgram
from p4abs.targets.bfrt.tm.queues import QueueReading, TmQueues


class TmAccess:
    """A RegisterAccess. Limits are whole cells, rounded down, and never below a queue's guaranteed
    cells; dropped bytes are estimated (counts.py).

    A snapshot's time is this machine's, at which the port's own counters were read.
    """

    path = "BF Runtime, traffic manager; dropped bytes estimated from packets"

    def __init__(self, client: BfrtClient, program: TmProgram) -> None:
        self._cell_bytes = program.cell_bytes
        self._queues = TmQueues(client, program)
        self._virtual = BfrtAccess(client, program.program)
        self._counts: dict[int, QueueCounts] = {}

    async def exchange(self, ports: Sequence[int], limits: Mapping[int, int]) -> Snapshots:
        """See RegisterAccess; limits first, then all tables."""
        try:
            refused = await self._limit(limits)
            readings, unread = await self._queues.read(ports)
        except ExchangeTimeout as late:
            return Snapshots({}, dict.fromkeys(ports, late))
        refused |= unread
        taken = {
            port: self._snapshot(port, readings[port]) for port in ports if port not in refused
        }
        return Snapshots(taken, {**refused})

    async def configure(
        self,
        drain_rates_bps: Mapping[int, int],
        ecn_marking: Mapping[int, bool],
        mtu_bytes: Mapping[int, int] = {},
    ) -> dict[int, P4absError]:
        """See RegisterAccess; a queue empties at its port's rate, and the virtual one, which comes
        before it, must drop nothing: what a frame counts for there does not matter."""
        ports = [*ecn_marking]
        return (await self._virtual.exchange(ports, dict.fromkeys(ports, 0))).failures

    async def _limit(self, limits: Mapping[int, int]) -> dict[int, PortRefused]:
        """Writes those that are not so already."""
        unknown = [port for port in limits if port not in self._counts]
        present, refused = await self._queues.read(unknown) if unknown else ({}, {})
        present |= {port: self._counts[port].last for port in limits if port in self._counts}
        changes = {}
        for port, reading in present.items():
            limit_bytes = limits[port]
            pool_cells = max(0, limit_bytes // self._cell_bytes - reading.guaranteed_cells)
            if pool_cells != reading.pool_cells or not reading.is_static:
                changes[port] = pool_cells
        return refused | await self._queues.limit(changes)

    def _snapshot(self, port: int, reading: QueueReading) -> Snapshot:
        before, cell_bytes = self._counts.get(port), self._cell_bytes
        counts = (
            QueueCounts.first(reading, cell_bytes)
            if before is None
            else before.after(reading, cell_bytes)
        )
        self._counts[port] = counts
        return Snapshot(
            reading.at_us,
            counts.admitted_bytes,
            counts.dropped_bytes,
            counts.sent_bytes,
            reading.limit_bytes(cell_bytes),
            unsaturated_us=reading.at_us,
            unsaturated_bytes=counts.wire_bytes,
        )


BY_TRAFFIC_MANAGER = Enforcer(VIRTUAL_QUEUE, TmProgram.of, TmAccess)
