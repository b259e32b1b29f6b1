"""Limits of the traffic manager's queues, as an Enforcer (bfrt/enforcer.py)."""

from collections.abc import Mapping, Sequence
from typing import Any

import grpc

from p4abs.access.register_access import ExchangeTimeout, Snapshots
from p4abs.access.rpc_error import PortRefused, RpcError
from p4abs.errors import P4absError
from p4abs.measurements import Snapshot
from p4abs.targets.bfrt.access import BfrtAccess
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.tables import VIRTUAL_QUEUE, BfrtProgram
from p4abs.targets.bfrt.tm import tables as tm
from p4abs.targets.bfrt.tm.counts import QueueCounts
from p4abs.targets.bfrt.tm.program import PortQueue, TmProgram
from p4abs.targets.bfrt.tm.queues import QueueReading, TmQueues
from p4abs.targets.bfrt.tm.tables import FixedTable, TmTables
from p4abs.targets.tofino.chip import NUMBERS_PER_PIPE
from p4abs.targets.traits import Enforcement


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


class TrafficManager:
    """See Enforcer."""

    layout = VIRTUAL_QUEUE

    async def program(self, client: BfrtClient, program: BfrtProgram) -> TmProgram:
        return await read_queues(client, program, Enforcement.TM)

    def access(self, client: BfrtClient, program: TmProgram) -> TmAccess:
        return TmAccess(client, program)


async def read_queues(
    client: BfrtClient, program: BfrtProgram, enforcement: Enforcement, *more: FixedTable
) -> TmProgram:
    """The program with the traffic manager's queues. Raises RpcError, and MissingObjects where the
    switch has not all tables, or not these."""
    tables = TmTables.of(program.info, enforcement, *more)
    return await client.call("read queues", lambda: _read(client, program, tables))


def _read(client: BfrtClient, program: BfrtProgram, tables: TmTables) -> TmProgram:
    """Raises the SDE's exceptions, and RpcError."""
    found = tables[tm.CONFIGURATION].default_entry_get(client.target, p4_name=program.name)
    configuration: dict[str, Any] = next((data.to_dict() for data, *_ in found if data), {})
    if not configuration:
        details = f"the table {tm.CONFIGURATION.name} is empty"
        raise RpcError("read queues", grpc.StatusCode.NOT_FOUND, details)
    return TmProgram(
        program,
        tables,
        _queues(client, program, tables[tm.PORT]),
        configuration["cell_size_bytes"],
        max(_pool_sizes(client, program, tables[tm.POOL])),
    )


def _pool_sizes(client: BfrtClient, program: BfrtProgram, table: Any) -> list[int]:
    keys = [table.make_key([client.sde.KeyTuple(tm.POOL_KEY, pool)]) for pool in tm.POOLS]
    found = table.entry_get(client.target, keys, p4_name=program.name)
    return [data.to_dict()["size_cells"] for data, _ in found]


def _queues(client: BfrtClient, program: BfrtProgram, table: Any) -> dict[int, PortQueue]:
    """Of the ports that have one."""
    keys = [table.make_key([client.sde.KeyTuple(tm.PORT_KEY, port)]) for port in program.ports]
    if not keys:
        return {}
    answered = table.entry_get(client.target, keys, p4_name=program.name)
    found, _ = client.entries("read queues", answered)
    queues = {}
    for key, values in found:
        port = key[tm.PORT_KEY]["value"]
        if numbers := values["egress_qid_queues"]:
            queues[port] = PortQueue(port // NUMBERS_PER_PIPE, values["pg_id"], numbers[0])
    return queues
