"""Reads and limits the traffic manager's queues.

Its tables about queues belong to pipes and take one pipe a request; those about ports do not.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic_ns
from typing import Any

from p4abs.access.rpc_error import PortRefused
from p4abs.targets.bfrt.access import EXCHANGE_TIMEOUT_S
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.tm import tables as tm
from p4abs.targets.bfrt.tm.program import PortQueue, TmProgram
from p4abs.targets.bfrt.tm.tables import FixedTable

# From the chip, where the driver does not answer from its own copy all the same.
_FRESH = {"from_hw": True}


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

    async def read(self, ports: Sequence[int]) -> dict[int, QueueReading]:
        """All about the ports' queues. Raises RpcError and ExchangeTimeout."""
        return await self._client.call("read queues", lambda: self._read(ports), EXCHANGE_TIMEOUT_S)

    async def standing(self, ports: Sequence[int]) -> dict[int, Standing]:
        """The part of it that changes with each frame. Raises RpcError and ExchangeTimeout."""

        def read() -> dict[int, Standing]:
            sent, at_us = self._sent(ports)
            counters = self._of_queues(tm.QUEUE_COUNTERS, ports)
            return {
                port: Standing(
                    sent[port]["$FramesTransmittedAll"],
                    sent[port]["$OctetsTransmittedTotal"],
                    counters[port]["usage_cells"],
                    at_us,
                )
                for port in ports
            }

        return await self._client.call("read queues", read, EXCHANGE_TIMEOUT_S)

    async def speeds_bps(self, ports: Sequence[int]) -> dict[int, int | None]:
        """At which rates the ports send; None: that is not known. Raises RpcError and
        ExchangeTimeout."""

        def read() -> dict[int, int | None]:
            found = self._of_ports(tm.SPEED, tm.DEV_PORT_KEY, ports)
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
            keys = [self._queue_key(table, queue) for queue in queues]
            table.entry_mod(client.pipe(pipe), keys, data)

        return await client.write("write limits", write, [*cells], EXCHANGE_TIMEOUT_S)

    def _read(self, ports: Sequence[int]) -> dict[int, QueueReading]:
        # What is sent and what still stands belong together: one after the other.
        sent, at_us = self._sent(ports)
        counters = self._of_queues(tm.QUEUE_COUNTERS, ports)
        dropped = self._of_ports(tm.PORT_COUNTERS, tm.PORT_KEY, ports)
        limits = self._of_queues(tm.QUEUE, ports)
        return {
            port: QueueReading(
                guaranteed_cells=limits[port]["guaranteed_cells"],
                pool_cells=limits[port]["pool_max_cells"],
                is_static=limits[port]["dynamic_baf"] == tm.STATIC
                and limits[port]["tail_drop_enable"],
                backlog_cells=counters[port]["usage_cells"],
                # The driver knows a port's count sooner than a queue's (docs/tofino.md).
                dropped_packets=max(
                    counters[port]["drop_count_packets"], dropped[port]["drop_count_packets"]
                ),
                sent_frames=sent[port]["$FramesTransmittedAll"],
                sent_octets=sent[port]["$OctetsTransmittedTotal"],
                at_us=at_us,
            )
            for port in ports
        }

    def _sent(self, ports: Sequence[int]) -> tuple[dict[int, Any], int]:
        """What the ports have sent, and when that was read, in microseconds."""
        before_ns = monotonic_ns()
        sent = self._of_ports(tm.SENT, tm.DEV_PORT_KEY, ports)
        return sent, (before_ns + monotonic_ns()) // 2000

    def _of_ports(self, wanted: FixedTable, key: str, ports: Sequence[int]) -> dict[int, Any]:
        table = self._program.tables[wanted]
        keys = [table.make_key([self._client.sde.KeyTuple(key, port)]) for port in ports]
        found = self._entries(wanted, self._client.target, keys)
        return {entry_key[key]["value"]: data for entry_key, data in found}

    def _of_queues(self, wanted: FixedTable, ports: Sequence[int]) -> dict[int, Any]:
        table, values = self._program.tables[wanted], {}
        for pipe, queues in self._by_pipe(ports):
            keys = [self._queue_key(table, queue) for queue in queues]
            for key, data in self._entries(wanted, self._client.pipe(pipe), keys):
                group, number = key[tm.GROUP_KEY]["value"], key[tm.QUEUE_KEY]["value"]
                values[queues[PortQueue(pipe, group, number)]] = data
        return values

    def _entries(
        self, wanted: FixedTable, target: Any, keys: Sequence[Any]
    ) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        table = self._program.tables[wanted]
        names = [self._client.sde.DataTuple(name) for name in wanted.fields]
        needed = table.make_data(names, wanted.action, get=True)
        found = table.entry_get(target, keys, _FRESH, needed, p4_name=self._program.name)
        for data, key in found:
            yield key.to_dict(), data.to_dict()

    def _by_pipe(self, ports: Sequence[int]) -> Iterator[tuple[int, dict[PortQueue, int]]]:
        """The ports' queues, and whose they are, pipe by pipe."""
        pipes: dict[int, dict[PortQueue, int]] = defaultdict(dict)
        for port in ports:
            queue = self._program.queues[port]
            pipes[queue.pipe][queue] = port
        yield from pipes.items()

    def _queue_key(self, table: Any, queue: PortQueue) -> Any:
        return tm.queue_key(self._client.sde, table, queue.group, queue.number)


def _speed_bps(name: str) -> int | None:
    """Of a name such as BF_SPEED_40G_NB."""
    found = re.match(r"BF_SPEED_([0-9]+)G", name)
    return int(found[1]) * 10**9 if found else None
