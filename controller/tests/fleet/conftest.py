"""Switches that exist in virtual time only, several on one clock, and their controllers."""

import asyncio
import heapq
from collections import defaultdict
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, NoReturn, Self

import grpc
import pytest
from p4abs.access.connection import Role
from p4abs.access.discovery import Discovered, tried
from p4abs.access.program import Program, load_program
from p4abs.access.register_access import ExchangeTimeout, Snapshots
from p4abs.access.rpc_error import PortRefused, RpcError
from p4abs.access.tables import Sharing
from p4abs.access.tables.packet_ins import RATE_PPS
from p4abs.cli.fleet_run import FleetRun
from p4abs.config import Settings, Source, load_settings
from p4abs.control import Sample, Samples
from p4abs.errors import P4absError, UserError
from p4abs.measurements import Snapshot
from p4abs.session import Message
from p4abs.telemetry import Fleet, WatchedSwitch, Watcher

INITIAL_LIMIT, SAFE_LIMIT = 60_000, 200_000
PORTS = {
    "number": "1-2",
    "capacity": "10Mbit",
    "policy": "static",
    "initial-limit": f"{INITIAL_LIMIT}B",
    "safe-limit": f"{SAFE_LIMIT}B",
}
CLASSES = {*range(4)}
"""Of packets to controllers."""
GONE = RpcError("stream", grpc.StatusCode.UNAVAILABLE, "the switch has gone")


def refusal(port: int, operation: str) -> PortRefused:
    return PortRefused(port, RpcError(operation, grpc.StatusCode.OUT_OF_RANGE, "no such element"))


class SharedClock:
    """Virtual time for many tasks: it passes when all of them wait, to the next deadline."""

    def __init__(self) -> None:
        self.time_s = 100.0
        self._order = count()
        self._sleeping: list[tuple[float, int, asyncio.Future[None]]] = []

    def now_s(self) -> float:
        return self.time_s

    async def sleep_until(self, deadline_s: float) -> None:
        woken = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleeping, (deadline_s, next(self._order), woken))
        await woken

    async def sleep(self, duration_s: float) -> None:
        await self.sleep_until(self.time_s + duration_s)

    def call_later(self, delay_s: float, function: Callable[[], object]) -> None:
        woken = asyncio.get_running_loop().create_future()
        woken.add_done_callback(lambda _: function())
        heapq.heappush(self._sleeping, (self.time_s + delay_s, next(self._order), woken))

    async def run_until(self, end_s: float) -> None:
        """Lets the other tasks work until then, and to the end of what they do at once."""
        await self._settle()
        while self._sleeping and self._sleeping[0][0] <= end_s:
            deadline_s, _, woken = heapq.heappop(self._sleeping)
            self.time_s = max(self.time_s, deadline_s)
            if not woken.done():
                woken.set_result(None)
                await self._settle()
        self.time_s = end_s

    async def _settle(self) -> None:
        """More turns than any chain of tasks that wake each other takes."""
        for _ in range(30):
            await asyncio.sleep(0)


@dataclass
class RemoteSwitch:
    """A switch with ports under load, that may be slow, dead, silent, or leave after a while.

    raises: what the next exchanges raise; answers: whether it takes connections, which else end in
    `refusal`; lasts_s: for how long each of them holds; unconfigured: so many settings of ports
    will get no answer; unread: ports whose registers are refused, unfit: whose settings are; idle:
    ports without traffic; has_storm: so many packets come for controllers that answers are lost
    while some class of them has no rate. rates: in packets/s, by class, of those that have one.
    """

    clock: SharedClock
    exchange_s: float = 0.001
    answers: bool = True
    refusal: P4absError = GONE
    unconfigured: int = 0
    unread: set[int] = field(default_factory=set)
    unfit: set[int] = field(default_factory=set)
    idle: set[int] = field(default_factory=set)
    has_storm: bool = False
    rates: dict[int, int] = field(default_factory=dict)
    bounding: list[Exception] = field(default_factory=list)
    written_again: int = 0
    is_silent: bool = False
    raises: list[Exception] = field(default_factory=list)
    lasts_s: float | None = None
    begun_us: int = 0
    path: str = "virtual"
    connections: int = 0
    limits: dict[int, int] = field(default_factory=dict)
    written: defaultdict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    marking: dict[int, bool] = field(default_factory=dict)
    sharing: Sharing | None = None
    ports: dict[int, Snapshot] = field(default_factory=dict)

    async def exchange(self, ports: Sequence[int], limits: Mapping[int, int]) -> Snapshots:
        await self.clock.sleep(self.exchange_s)
        if self.raises:
            raise self.raises.pop()
        if self.is_silent or (self.has_storm and self.rates.keys() != CLASSES):
            return Snapshots({}, dict.fromkeys(ports, ExchangeTimeout("no answer")))
        limits = {port: limit for port, limit in limits.items() if port not in self.unread}
        self.limits |= limits
        for port, limit in limits.items():
            self.written[port].append(limit)
        return Snapshots(
            {port: self._loaded(port) for port in ports if port not in self.unread},
            {port: refusal(port, "read") for port in ports if port in self.unread},
        )

    def _loaded(self, port: int) -> Snapshot:
        """At full utilization, with 4 % loss, or idle."""
        before = self.ports.get(port, Snapshot(0, 0, 0, 0, 0))
        now_us = round(self.clock.time_s * 1e6) - self.begun_us
        sent = 0 if port in self.idle else now_us * 10 // 8
        self.ports[port] = replace(
            before,
            timestamp_us=now_us,
            admitted_bytes=sent,
            dropped_bytes=sent // 25,
            departed_bytes=sent,
            limit_bytes=self.limits.get(port, 0),
        )
        return self.ports[port]

    async def configure(
        self,
        drain_rates_bps: Mapping[int, int],
        ecn_marking: Mapping[int, bool],
        mtu_bytes: Mapping[int, int] = {},
    ) -> dict[int, P4absError]:
        """Drain rates do not matter here."""
        if self.unconfigured > 0:
            self.unconfigured -= 1
            await self.clock.sleep(self.exchange_s)
            raise ExchangeTimeout("no answer")
        refused = {port: refusal(port, "configure") for port in ecn_marking if port in self.unfit}
        self.marking |= {port: on for port, on in ecn_marking.items() if port not in refused}
        return refused

    async def bound(self) -> Collection[int]:
        """As PacketInMeter; `bounding` are the errors of the next calls."""
        if self.bounding:
            raise self.bounding.pop()
        unbounded = CLASSES - self.rates.keys()
        self.rates |= dict.fromkeys(unbounded, RATE_PPS)
        return unbounded

    async def write_again(self) -> None:
        """As PacketInMeter."""
        self.written_again += 1

    async def write(self, wanted: Sharing) -> None:
        """As MemoryTables."""
        await self.clock.sleep(self.exchange_s)
        self.sharing = wanted


class VirtualConnection:
    """A session with a remote switch."""

    role = Role.PRIMARY

    def __init__(self, switch: RemoteSwitch) -> None:
        self.switch = switch

    async def __aenter__(self) -> Self:
        if not self.switch.answers:
            raise self.switch.refusal
        self.switch.connections += 1
        return self

    async def __aexit__(self, *_: object) -> None:
        """Nothing to close."""

    def claim(self, program: Program) -> None:
        """It has no roles."""

    async def watch(self) -> NoReturn:
        if self.switch.lasts_s is not None:
            await self.switch.clock.sleep(self.switch.lasts_s)
            raise GONE
        await asyncio.get_running_loop().create_future()
        raise AssertionError("a future that nobody sets")


class Ticks(Watcher):
    """When which switch was done with an interval, and what was said."""

    def __init__(self, clock: SharedClock) -> None:
        self._clock = clock
        self.lines: list[str] = []
        self.messages: list[Message] = []
        self.at_s: dict[str, list[float]] = {}
        self.samples: list[tuple[str, Sample]] = []

    def announce(self, message: Message) -> None:
        self.lines.append(str(message))
        self.messages.append(message)

    def sampled(self, switch: WatchedSwitch, samples: Samples) -> None:
        self.samples += ((switch.name, sample) for sample in samples)

    def tick(self, switch: WatchedSwitch) -> None:
        self.at_s.setdefault(switch.name, []).append(self._clock.now_s())


@dataclass
class Run:
    """What came of a run."""

    of: FleetRun
    ticks: Ticks
    failures: dict[str, P4absError] = field(default_factory=dict)

    @property
    def fleet(self) -> Fleet:
        return self.of.fleet

    def statistics(self, name: str):
        return self.fleet.switches[name].controller.loop.statistics


async def _at_once(function: Callable[[], Any]) -> Any:
    return function()


class World:
    """Remote switches by name, and runs that control them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = SharedClock()
        self.switches: dict[str, RemoteSwitch] = {}
        self.ports: Mapping[str, object] = {}
        """What all ports have that is not in PORTS; None: not."""
        self.program = load_program("queue")
        self.has_packet_in_meter = True
        self.watchers: list[Callable[[Fleet], Watcher]] = []
        """What follows a run beside `Ticks`."""
        self.fails: set[str] = set()
        """Switches that cannot be controlled."""
        self._changes: list[asyncio.Task[None]] = []
        controller = "p4abs.session.controller"
        monkeypatch.setattr(f"{controller}.target_of", lambda *_kind: self)
        monkeypatch.setattr(f"{controller}.install", self._install)
        # A thread would take real time.
        monkeypatch.setattr(asyncio, "to_thread", _at_once)

    def add(self, name: str, **traits: object) -> RemoteSwitch:
        self.switches[name] = RemoteSwitch(self.clock, **traits)
        return self.switches[name]

    def after(self, delay_s: float, name: str, **traits: object) -> None:
        """Changes a switch later."""

        async def change() -> None:
            await self.clock.sleep(delay_s)
            for trait, value in traits.items():
                setattr(self.switches[name], trait, value)

        self._changes.append(asyncio.create_task(change()))

    def settings(
        self, ports: Mapping[str, object] = {}, names: Sequence[str] = (), **switch: object
    ) -> Settings:
        """Those of all switches or of these, each with two ports; with some changed."""
        every = {**PORTS, **self.ports, **ports}
        port = {key: value for key, value in every.items() if value is not None}
        tables = [
            {"name": name, "grpc-addr": f"{name}:9559", "port": [port], **switch}
            for name in names or self.switches
        ]
        return load_settings(Source({"switch": tables}), {})

    async def run(
        self,
        duration_s: float,
        meanwhile: Callable[[Run], Coroutine[Any, Any, None]] | None = None,
        names: Sequence[str] = (),
        settings: Settings | None = None,
    ) -> Run:
        """Controls all switches or these for that long; `meanwhile` is begun half-way."""
        fleet_run = FleetRun(settings or self.settings(names=names), self.clock)
        ticks = Ticks(self.clock)
        fleet_run.fleet.watchers += [ticks, *(make(fleet_run.fleet) for make in self.watchers)]
        task = asyncio.create_task(fleet_run.run())
        run = Run(fleet_run, ticks)
        try:
            await self.clock.run_until(self.clock.time_s + duration_s / 2)
            changing = None if meanwhile is None else asyncio.create_task(meanwhile(run))
            await self.clock.run_until(self.clock.time_s + duration_s / 2)
            if changing is not None:
                await changing
        finally:
            fleet_run.control.end()
            await self.clock.run_until(self.clock.time_s + 10)
        run.failures = await task
        return run

    def require(self) -> None:
        """See Target."""

    async def with_ports(self, _connection: VirtualConnection, program: Program) -> Program:
        """These switches do not tell of their ports."""
        return program

    async def registers(
        self, connection: VirtualConnection, _program: Program, ports: Sequence[int], _: object
    ) -> Discovered:
        return await tried(connection.switch, ports)

    def memory_tables(self, connection: VirtualConnection, program: Program) -> RemoteSwitch | None:
        return None if program.capabilities().sharing_unsupported else connection.switch

    def queue_table(self, connection: VirtualConnection, program: Program) -> None:
        """None: nothing is written to it."""

    def packet_in_meter(
        self, connection: VirtualConnection, program: Program
    ) -> RemoteSwitch | None:
        return connection.switch if self.has_packet_in_meter else None

    def session(self, address: str, *_: object) -> VirtualConnection:
        """See Target."""
        return VirtualConnection(self.switches[address.removesuffix(":9559")])

    async def _install(self, _: object, connection: VirtualConnection, *_others: object) -> Program:
        if any(connection.switch is self.switches[name] for name in self.fails):
            raise UserError("cannot be controlled")
        return self.program


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return World(monkeypatch)
