"""Reads and limits the traffic manager's queues.

Its tables about queues belong to pipes and take one pipe a request; those about ports do not.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic_ns
from typing import Any

from grpc import StatusCode

from p4abs.access.rpc_error import PortRefused, RpcError, raise_first
from p4abs.targets.bfrt.access import EXCHANGE_TIMEOUT_S
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.tm import tables as tm
from p4abs.targets.bfrt.tm.program import PortQueue, TmProgram
from p4abs.targets.bfrt.tm.tables import FixedTable

# From the chip, where the driver does not answer from its own copy all the same.
_FRESH = {"from_hw": True}
_READ = "read queues"


@dataclass(frozen=True)
class QueueReading:
    """What the tables say of one port.

    guaranteed_cells, pool_cells: of the queue's limit, their sum; is_static: it depends on nothing
    else. at_us: when frames and octets were read, by this machine's clock.
    """

    guaranteed_cells: int
    pool_cells: int
    is_static: bool
    backlog_cells: int
    dropped_packets: int
    sent_frames: int
    sent_octets: int
    at_us: int

    def limit_bytes(self, cell_bytes: int) -> int:
        """The limit in force, as a Snapshot has it: 0 where there is no static one."""
        return (self.guaranteed_cells + self.pool_cells) * cell_bytes if self.is_static else 0


@dataclass(frozen=True)
class Standing:
    """What a port has sent and what still stands in its queue. at_us: when the former was read, by
    this machine's clock."""

    sent_frames: int
    sent_octets: int
    backlog_cells: int
    at_us: int


class TmQueues:
    """Those of the ports of a switch."""

    def __init__(self, client: BfrtClient, program: TmProgram) -> None:
        self._client = client
        self._program = program

    async def read(
        self, ports: Sequence[int]
    ) -> tuple[dict[int, QueueReading], dict[int, PortRefused]]:
        """All about the ports' queues, and why ports have none. Raises RpcError and
        ExchangeTimeout."""
        return await self._client.call(_READ, lambda: self._read(ports), EXCHANGE_TIMEOUT_S)

    async def standing(
        self, ports: Sequence[int]
    ) -> tuple[dict[int, Standing], dict[int, PortRefused]]:
        """The part of it that changes with each frame. Raises RpcError and ExchangeTimeout."""

        def read() -> tuple[dict[int, Standing], dict[int, PortRefused]]:
            sent, at_us = self._sent(ports)
            counters = self._of_queues(tm.QUEUE_COUNTERS, ports)
            refused = _refused(sent, counters)
            standing = {
                port: Standing(
                    sent[port]["$FramesTransmittedAll"],
                    sent[port]["$OctetsTransmittedTotal"],
                    counters[port]["usage_cells"],
                    at_us,
                )
                for port in ports
                if port not in refused
            }
            return standing, refused

        return await self._client.call(_READ, read, EXCHANGE_TIMEOUT_S)

    async def speeds_bps(self, ports: Sequence[int]) -> dict[int, int | None]:
        """At which rates the ports send; None: that is not known. Raises RpcError and
        ExchangeTimeout."""

        def read() -> dict[int, int | None]:
            found = self._of_ports(tm.SPEED, tm.DEV_PORT_KEY, ports)
            raise_first(_refused(found))
            return {port: _speed_bps(data["$SPEED"]) for port, data in found.items()}

        return await self._client.call("read speeds", read)

    async def limit(self, pool_cells: Mapping[int, int]) -> dict[int, PortRefused]:
        """Makes these the static limits beyond the guaranteed cells; what is refused, by port.

        Raises RpcError and ExchangeTimeout.
        """
        refused: dict[int, PortRefused] = {}
        for pipe, queues in self._by_pipe([*pool_cells]):
            cells = {port: pool_cells[port] for port in queues.values()}
            refused |= await self._limit(pipe, [*queues], cells)
        return refused

    async def _limit(
        self, pipe: int, queues: Sequence[PortQueue], cells: Mapping[int, int]
    ) -> dict[int, PortRefused]:
        client, table = self._client, self._program.tables[tm.QUEUE]
        field = client.sde.DataTuple

        def write() -> None:
            data = [
                table.make_data(
                    [
                        field("pool_max_cells", each),
                        field("dynamic_baf", str_val=tm.STATIC),
                        field("tail_drop_enable", bool_val=True),
                    ],
                    tm.QUEUE.action,
                )
                for each in cells.values()
            ]
            keys = [client.key(table, each.key) for each in queues]
            table.entry_mod(client.pipe(pipe), keys, data)

        return await client.write("write limits", write, [*cells], EXCHANGE_TIMEOUT_S)

    def _read(self, ports: Sequence[int]) -> tuple[dict[int, QueueReading], dict[int, PortRefused]]:
        # What is sent and what still stands belong together: one after the other.
        sent, at_us = self._sent(ports)
        counters = self._of_queues(tm.QUEUE_COUNTERS, ports)
        dropped = self._of_ports(tm.PORT_COUNTERS, tm.PORT_KEY, ports)
        limits = self._of_queues(tm.QUEUE, ports)
        refused = _refused(sent, counters, dropped, limits)
        readings = {
            port: QueueReading(
                guaranteed_cells=limits[port]["guaranteed_cells"],
                pool_cells=limits[port]["pool_max_cells"],
                is_static=limits[port]["dynamic_baf"] == tm.STATIC
                and limits[port]["tail_drop_enable"],
                backlog_cells=counters[port]["usage_cells"],
                # The driver updates a port's count sooner than a queue's.
                dropped_packets=max(
                    counters[port]["drop_count_packets"], dropped[port]["drop_count_packets"]
                ),
                sent_frames=sent[port]["$FramesTransmittedAll"],
                sent_octets=sent[port]["$OctetsTransmittedTotal"],
                at_us=at_us,
            )
            for port in ports
            if port not in refused
        }
        return readings, refused

    def _sent(self, ports: Sequence[int]) -> tuple[dict[int, Any], int]:
        """What the ports have sent, and when that was read, in microseconds."""
        before_ns = monotonic_ns()
        sent = self._of_ports(tm.SENT, tm.DEV_PORT_KEY, ports)
        return sent, (before_ns + monotonic_ns()) // 2000

    def _of_ports(self, wanted: FixedTable, key: str, ports: Sequence[int]) -> dict[int, Any]:
        return self._entries(wanted, self._client.target, {port: {key: port} for port in ports})

    def _of_queues(self, wanted: FixedTable, ports: Sequence[int]) -> dict[int, Any]:
        found = dict[int, Any]()
        for pipe, queues in self._by_pipe(ports):
            keys = {port: queue.key for queue, port in queues.items()}
            found |= self._entries(wanted, self._client.pipe(pipe), keys)
        return found

    def _entries(
        self, wanted: FixedTable, target: Any, keys: Mapping[int, Mapping[str, int]]
    ) -> dict[int, Any]:
        """Of each port what the table has of its key, or a PortRefused that says why nothing."""
        client, table = self._client, self._program.tables[wanted]
        made = [client.key(table, key) for key in keys.values()]
        names = [client.sde.DataTuple(name) for name in wanted.fields]
        needed = table.make_data(names, wanted.action, get=True)
        found, failures = client.entries(
            _READ, table.entry_get(target, made, _FRESH, needed, p4_name=self._program.name)
        )
        ports = {frozenset(key.items()): port for port, key in keys.items()}
        values = {
            ports[frozenset((name, each["value"]) for name, each in key.items())]: data
            for key, data in found
        }
        nothing = RpcError(_READ, StatusCode.NOT_FOUND, f"no entry in the table {wanted.name}")
        refused = {
            port: PortRefused(port, failures.get(position, nothing))
            for position, port in enumerate(keys)
            if port not in values
        }
        return values | refused

    def _by_pipe(self, ports: Sequence[int]) -> Iterator[tuple[int, dict[PortQueue, int]]]:
        """The ports' queues, and whose they are, pipe by pipe."""
        pipes: dict[int, dict[PortQueue, int]] = defaultdict(dict)
        for port in ports:
            queue = self._program.queues[port]
            pipes[queue.pipe][queue] = port
        yield from pipes.items()


def _refused(*tables: Mapping[int, Any]) -> dict[int, PortRefused]:
    """The ports without an entry in one of these tables."""
    return {
        port: entry
        for table in tables
        for port, entry in table.items()
        if isinstance(entry, PortRefused)
    }


def _speed_bps(name: str) -> int | None:
    """Of a name such as BF_SPEED_40G_NB."""
    found = re.match(r"BF_SPEED_([0-9]+)G", name)
    return int(found[1]) * 10**9 if found else None
