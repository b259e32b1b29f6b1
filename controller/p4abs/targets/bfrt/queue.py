"""Limits of the program on the traffic manager's own queues, `enforcement = "queue"`.

It is p4src/tna/queue with the queue that each port has, of whose length its ghost thread is told.
"""

from collections.abc import Mapping, Sequence

from p4abs.access.capabilities import Capabilities
from p4abs.access.register_access import ExchangeTimeout, Snapshots
from p4abs.access.rpc_error import PortRefused
from p4abs.errors import P4absError
from p4abs.measurements import Snapshot
from p4abs.targets.bfrt.access import BfrtTables, PortWords, counts_of_all, limit_of_all
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.enforcer import Enforcer
from p4abs.targets.bfrt.entries import Entries
from p4abs.targets.bfrt.mtu import MtuEntries
from p4abs.targets.bfrt.tables import Layout, count, register
from p4abs.targets.bfrt.tm.counts import wire_bytes
from p4abs.targets.bfrt.tm.program import PortQueue, TmProgram
from p4abs.targets.bfrt.tm.queues import Standing, TmQueues
from p4abs.targets.bfrt.tm.tables import FixedTable
from p4abs.targets.tofino import offer
from p4abs.targets.tofino.queue_program import TABLE
from p4abs.targets.tofino.words import COUNTS, FLOWS
from p4abs.targets.traits import Enforcement

_CONTROL = "QueueIngress"
_LIMIT = register(_CONTROL, "ingress.queue_limit_bytes", limit="f1")
QUEUE = Layout(
    registers=(
        count(_CONTROL, "ingress.", COUNTS["dropped_bytes"]),
        _LIMIT,
    ),
    limit=_LIMIT,
    ports=f"pipe.Ghost.{TABLE}",
    flows=tuple(count(_CONTROL, "ingress.", each) for each in FLOWS.values()),
)


# Of Tofino 2 (bf_rt_tm_tf2.json). ANY: at each change, not only where a colour's limit is crossed.
OF_QUEUE = FixedTable("tm.queue.cfg", ("depth_report_enable",))
OF_PIPE = FixedTable("tm.pipe.cfg", ("queue_depth_report_mode",))
_MODE = "ANY"


class QueueProgram(TmProgram):
    """See TmProgram; its limits are the program's."""

    enforcement = Enforcement.QUEUE
    more = (OF_QUEUE, OF_PIPE)

    def capabilities(self) -> Capabilities:
        return offer.of_queues(self.port_unsupported)


# How a report numbers queues: those of a port group are consecutive (tm_tof2.h).
QUEUES_PER_GROUP = 128


class QueueReports:
    """Has the traffic manager report the length of the ports' queues to the program's ghost thread.

    Writes only what differs.
    """

    def __init__(self, client: BfrtClient, program: QueueProgram) -> None:
        self._client = client
        self._program = program
        self._ports = Entries(client, program.program, program.program.layout.ports)

    async def of(self, ports: Sequence[int]) -> dict[int, PortRefused]:
        """Turns the reports on and maps the queues to their ports; returns refusals by port. Raises
        RpcError."""
        queues = {port: self._program.queues[port] for port in ports}
        refused = await self._write_ports(queues)
        for pipe in sorted({queue.pipe for queue in queues.values()}):
            of_pipe = {port: queue for port, queue in queues.items() if queue.pipe == pipe}
            refused |= await self._enable(pipe, of_pipe)
        return refused

    async def _write_ports(self, queues: Mapping[int, PortQueue]) -> dict[int, PortRefused]:
        entries = await self._ports.read("read ports of queues")
        # None: an action that is not ours.
        present = {(key["pipe"], key["queue"]): data.get("port") for key, data in entries}
        action, refused = self._ports.action("of_port"), dict[int, PortRefused]()
        for port, queue in queues.items():
            pipe, number = queue.pipe, queue.group * QUEUES_PER_GROUP + queue.number
            if present.get((pipe, number)) != port:
                refused |= await self._ports.write(
                    "write port of queue",
                    port,
                    {"pipe": pipe, "queue": number},
                    action,
                    {"port": port},
                    is_new=(pipe, number) not in present,
                )
        return refused

    async def _enable(self, pipe: int, queues: Mapping[int, PortQueue]) -> dict[int, PortRefused]:
        sde, target = self._client.sde, self._client.pipe(pipe)
        of_queue, of_pipe = self._program.tables[OF_QUEUE], self._program.tables[OF_PIPE]

        def write() -> None:
            mode = of_pipe.make_data([sde.DataTuple("queue_depth_report_mode", str_val=_MODE)])
            of_pipe.default_entry_set(target, mode)
            keys = [self._client.key(of_queue, each.key) for each in queues.values()]
            enabled = sde.DataTuple("depth_report_enable", bool_val=True)
            of_queue.entry_mod(target, keys, [of_queue.make_data([enabled]) for _ in keys])

        return await self._client.write("enable reports", write, [*queues])


class QueueAccess:
    """A RegisterAccess. All bytes are of the wire: what was dropped is the program's own count,
    what departed the port's, from the chip, what was admitted that and the cells that stand there.

    A snapshot's time is this machine's, at which the port's own counters were read.
    """

    path = "BF Runtime, queues of the traffic manager"

    def __init__(self, client: BfrtClient, program: QueueProgram) -> None:
        self._cell_bytes = program.cell_bytes
        self._tables = BfrtTables(client, program.program)
        self._queues = TmQueues(client, program)
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
            departed_bytes=departed_bytes,
            limit_bytes=limit_of_all(words["limit"]),
            unsaturated_us=reading.at_us,
            unsaturated_bytes=departed_bytes,
            **counts_of_all(words),
        )
        return snapshot


BY_QUEUE = Enforcer(QUEUE, QueueProgram.of, QueueAccess)
