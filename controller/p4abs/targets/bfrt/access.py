"""The registers of p4src/tna over BF Runtime: all ports of a register in one synchronized read.

Registers belong to pipes: a port's counts are summed over them. Each register is read at an instant
of its own, so a snapshot is of one instant but for the time between these reads.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from p4abs.access.register_access import ExchangeTimeout, Snapshots
from p4abs.access.rpc_error import PortRefused
from p4abs.errors import P4absError
from p4abs.measurements import COUNTER_MODULUS, Snapshot
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.enforcer import Enforcer
from p4abs.targets.bfrt.entries import Entries
from p4abs.targets.bfrt.mtu import MtuEntries
from p4abs.targets.bfrt.tables import INDEX_KEY, PORT_KEY, VIRTUAL_QUEUE, BfrtProgram
from p4abs.targets.tofino.clocks import ChipClock, stamp_ns
from p4abs.targets.tofino.words import COUNTS, FLOWS, Words

# Registers of several pipes are read one after the other. A stamp that is older by no more than
# this is only out of order. An older one is of a chip that has started anew.
_OUT_OF_ORDER_NS = 10**9
# A frame whose bytes are still pending (p4src/tna/virtual_queue.p4), and the next one.
_UNDRAINED_BYTES = 2 * 9216

EXCHANGE_TIMEOUT_S = 0.5
_SYNC = "Sync"
# Of one port: by the names in tables.REGISTERS, a value for each pipe.
PortWords = dict[str, list[int]]


class PipeTimes:
    """Follows the stamps of a port's last packets, pipe by pipe, through one session."""

    def __init__(self) -> None:
        self._clock = ChipClock()
        self._stamps_ns: list[int] = []
        self._times_ns: list[int] = []
        self._newest_ns = 0

    def newest_ns(self, stamps_ns: Sequence[int]) -> int:
        """Takes the pipes' stamps; the time of the port's last packet, which does not wrap.

        Only changed stamps count: a stamp of 48 bits that has stood still for days may look newer
        than a new one. A pipe that no packet has passed has the stamp 0.
        """
        before = self._stamps_ns or [0] * len(stamps_ns)
        self._times_ns = self._times_ns or [0] * len(stamps_ns)
        changed = [pipe for pipe, stamp in enumerate(stamps_ns) if stamp != before[pipe]]
        for pipe in changed or ([] if self._stamps_ns else [0]):
            self._times_ns[pipe] = self._clock.timestamp_ns(stamps_ns[pipe])
        self._stamps_ns = [*stamps_ns]
        newest_ns = max((self._times_ns[pipe] for pipe in changed), default=self._newest_ns)
        if not 0 <= self._newest_ns - newest_ns < _OUT_OF_ORDER_NS:
            self._newest_ns = newest_ns
        return self._newest_ns

    def standing_bytes(self, backlogs_bytes: Sequence[int], rate_bps: int | None) -> int:
        """The bytes in the pipes' queues at that time, from their backlogs at their last packets.

        A pipe that has been silent for as long as its queue takes to drain holds nothing. Until
        then, its backlog counts in full, so that departures never go backwards.
        """
        return sum(
            backlog_bytes
            for backlog_bytes, time_ns in zip(backlogs_bytes, self._times_ns, strict=True)
            if rate_bps is None
            or 8 * (backlog_bytes + _UNDRAINED_BYTES) * 10**9
            > rate_bps * (self._newest_ns - time_ns)
        )


class BfrtTables:
    """The registers of a program. Reading them does not take the program from the client that has
    bound it."""

    def __init__(self, client: BfrtClient, program: BfrtProgram) -> None:
        self._client = client
        self._program = program

    async def words(self, ports: Sequence[int]) -> dict[int, PortWords]:
        """All registers of the ports, fresh from the chip. Raises RpcError and ExchangeTimeout."""
        return await self._client.call(
            "read registers", lambda: self._words(ports), EXCHANGE_TIMEOUT_S
        )

    async def rates_bps(self) -> dict[int, int | None]:
        """The rates of the ports that have an entry; None: its action is none of ours."""
        by_action = {action: rate for rate, action in self._program.actions.items()}
        found = await Entries(self._client, self._program, self._program.layout.ports).read(
            "read rates"
        )
        return {key[PORT_KEY]: by_action.get(data["action_name"]) for key, data in found}

    async def write_limits(self, limits: Mapping[int, int]) -> dict[int, PortRefused]:
        """In bytes; what is refused, by port. Raises RpcError and ExchangeTimeout."""
        if not limits:
            return {}
        client, limit = self._client, self._program.layout.limit
        table, field = self._table(limit.table), limit.fields["limit"]

        def write() -> None:
            keys = [client.key(table, {INDEX_KEY: port}) for port in limits]
            data = [
                table.make_data([client.sde.DataTuple(field, each)]) for each in limits.values()
            ]
            table.entry_mod(client.target, keys, data)

        return await client.write("write limits", write, [*limits], EXCHANGE_TIMEOUT_S)

    def _words(self, ports: Sequence[int]) -> dict[int, PortWords]:
        words: dict[int, PortWords] = {port: {} for port in ports}
        for register in self._program.layout.registers:
            table = self._table(register.table)
            # Copies all of it from the chip at once; reads then use the driver's copy.
            table.operations_execute(self._client.target, _SYNC, p4_name=self._program.name)
            keys = [self._client.key(table, {INDEX_KEY: port}) for port in ports]
            found = table.entry_get(
                self._client.target, keys, flags={"from_hw": False}, p4_name=self._program.name
            )
            for data, key in found:
                port, values = key.to_dict()[INDEX_KEY]["value"], data.to_dict()
                for name, field in register.fields.items():
                    value = values[field]
                    words[port][name] = value if isinstance(value, list) else [value]
        return words

    def _table(self, name: str) -> Any:
        return self._program.info.table_get(name)


class BfrtAccess:
    """A RegisterAccess. A snapshot's time is that of the port's last packet in any of the pipes.

    A limit applies to packets that come in. A backlog above it drains when sources slow down
    (p4src/tna/virtual_queue.p4).
    """

    path = "BF Runtime"

    def __init__(self, client: BfrtClient, program: BfrtProgram) -> None:
        self._actions = program.actions
        self._tables = BfrtTables(client, program)
        self._ports = Entries(client, program, program.layout.ports)
        self._mtus = MtuEntries(client, program)
        self._rates_bps: dict[int, int | None] = {}
        self._times: dict[int, PipeTimes] = defaultdict(PipeTimes)

    async def exchange(self, ports: Sequence[int], limits: Mapping[int, int]) -> Snapshots:
        """See RegisterAccess; limits first, then all registers."""
        try:
            refused = await self._tables.write_limits(limits)
            words = await self._tables.words(ports)
        except ExchangeTimeout as late:
            return Snapshots({}, dict.fromkeys(ports, late))
        taken = {port: self._snapshot(port, words[port]) for port in ports if port not in refused}
        return Snapshots(taken, {**refused})

    async def configure(
        self,
        drain_rates_bps: Mapping[int, int],
        ecn_marking: Mapping[int, bool],
        mtu_bytes: Mapping[int, int] = {},
    ) -> dict[int, P4absError]:
        """See RegisterAccess; entries that are so already are not written again."""
        failures = dict[int, P4absError]()
        self._rates_bps = await self._tables.rates_bps()
        for port, rate_bps in drain_rates_bps.items():
            present = self._rates_bps.get(port)
            if present == rate_bps:
                continue
            refused = await self._ports.write(
                "write rate",
                port,
                {PORT_KEY: port},
                self._actions[rate_bps],
                {},
                is_new=port not in self._rates_bps,
            )
            failures.update(refused)
            if port not in refused:
                self._rates_bps[port] = rate_bps
        failures.update(await self._mtus.write(mtu_bytes))
        return failures

    def _snapshot(self, port: int, words: PortWords) -> Snapshot:
        rate_bps, times = self._rates_bps.get(port), self._times[port]
        stamps_ns = [
            stamp_ns(ticks, clock_bytes, rate_bps)
            for ticks, clock_bytes in zip(
                words["last_packet_65536ns"], words["clock_bytes"], strict=True
            )
        ]
        timestamp_us = times.newest_ns(stamps_ns) // 1000
        counts = counts_of_all(words)
        standing_bytes = times.standing_bytes(words["backlog"], rate_bps)
        departed_bytes = (counts["admitted_bytes"] - standing_bytes) % COUNTER_MODULUS
        return Snapshot(
            timestamp_us=timestamp_us,
            departed_bytes=departed_bytes,
            limit_bytes=limit_of_all(words["limit"]),
            # A virtual queue drains at the capacity, so all time that nothing departs in is idle.
            unsaturated_us=timestamp_us,
            unsaturated_bytes=departed_bytes,
            **counts,
        )


def counts_of_all(words: PortWords) -> dict[str, int]:
    """What all pipes have counted, of all that the program counts."""
    return {
        name: _of_all([words[field] for field in counter.fields], counter)
        for name, counter in {**COUNTS, **FLOWS}.items()
        if counter.are_in(words)
    }


def _of_all(pipes: Sequence[Sequence[int]], counter: Words) -> int:
    """The sum over pipes; `pipes` has a row for each field, with its values in all pipes."""
    return sum(map(counter.number, zip(*pipes, strict=True))) % COUNTER_MODULUS


def limit_of_all(limits_bytes: Sequence[int]) -> int:
    """The limit that all pipes have; 0, none, where one of them has lost it."""
    return max(limits_bytes) if all(limits_bytes) else 0


async def _having_it_all(_client: BfrtClient, program: BfrtProgram) -> BfrtProgram:
    return program


BY_VIRTUAL_QUEUE = Enforcer(VIRTUAL_QUEUE, _having_it_all, BfrtAccess)
