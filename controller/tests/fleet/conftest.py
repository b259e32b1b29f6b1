"""Switches that exist in virtual time only, several on one clock, and their controllers."""

import asyncio
import heapq
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import NoReturn, Self

import grpc
import pytest
from p4abs.access.connection import Role
from p4abs.access.program import load_program
from p4abs.access.register_access import ExchangeTimeout, Snapshots
from p4abs.access.rpc_error import RpcError
from p4abs.cli import control_run
from p4abs.config import Settings, Source, load_settings
from p4abs.control import Sample, Samples
from p4abs.errors import P4absError
from p4abs.session import Message, control_fleet
from p4abs.snapshot import Snapshot
from p4abs.telemetry import Fleet, WatchedSwitch, Watcher

INITIAL_LIMIT, SAFE_LIMIT = 60_000, 200_000
PORTS = {
    "number": "1-2",
    "capacity": "10Mbit",
    "policy": "static",
    "initial-limit": f"{INITIAL_LIMIT}B",
    "safe-limit": f"{SAFE_LIMIT}B",
}
GONE = RpcError("stream", grpc.StatusCode.UNAVAILABLE, "the switch has gone")


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

    answers: whether it takes connections; lasts_s: for how long each of them holds.
    """

    clock: SharedClock
    exchange_s: float = 0.001
    answers: bool = True
    is_silent: bool = False
    lasts_s: float | None = None
    path: str = "virtual"
    connections: int = 0
    limits: dict[int, int] = field(default_factory=dict)
    marking: dict[int, bool] = field(default_factory=dict)
    ports: dict[int, Snapshot] = field(default_factory=dict)

    async def exchange(self, ports: Sequence[int], limits: Mapping[int, int]) -> Snapshots:
        await self.clock.sleep(self.exchange_s)
        if self.is_silent:
            return Snapshots({}, dict.fromkeys(ports, ExchangeTimeout("no answer")))
        self.limits |= limits
        return Snapshots({port: self._loaded(port) for port in ports})

    def _loaded(self, port: int) -> Snapshot:
        """At full utilization, with 4 % loss."""
        before = self.ports.get(port, Snapshot(0, 0, 0, 0, 0))
        now_us = round(self.clock.time_s * 1e6)
        sent = now_us * 10 // 8
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
        self, drain_rates_bps: Mapping[int, int], ecn_marking: Mapping[int, bool]
    ) -> None:
        """Drain rates do not matter here."""
        self.marking |= ecn_marking


class VirtualConnection:
    """A session with a remote switch."""

    role = Role.PRIMARY

    def __init__(self, switch: RemoteSwitch) -> None:
        self.switch = switch

    async def __aenter__(self) -> Self:
        if not self.switch.answers:
            raise GONE
        self.switch.connections += 1
        return self

    async def __aexit__(self, *_: object) -> None:
        """Nothing to close."""

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
        self.at_s: dict[str, list[float]] = {}
        self.samples: list[tuple[str, Sample]] = []

    def announce(self, message: Message) -> None:
        self.lines.append(str(message))

    def sampled(self, switch: WatchedSwitch, samples: Samples) -> None:
        self.samples += ((switch.name, sample) for sample in samples)

    def tick(self, switch: WatchedSwitch) -> None:
        self.at_s.setdefault(switch.name, []).append(self._clock.now_s())


@dataclass
class Run:
    """What came of a run."""

    fleet: Fleet
    ticks: Ticks
    failures: dict[str, P4absError] = field(default_factory=dict)

    def statistics(self, name: str):
        return self.fleet.switches[name].controller.loop.statistics


def _settings_of(
    names: Sequence[str], ports: Mapping[str, object], switch: Mapping[str, object]
) -> Settings:
    """A switch for each name, with two ports."""
    tables = [
        {"name": name, "grpc-addr": f"192.0.2.{index}:9559", "port": [{**PORTS, **ports}], **switch}
        for index, name in enumerate(names, 1)
    ]
    return load_settings(Source({"switch": tables}), {})


class World:
    """Remote switches by name, and runs that control them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = SharedClock()
        self.switches: dict[str, RemoteSwitch] = {}
        self._by_address: dict[str, RemoteSwitch] = {}
        self._changes: list[asyncio.Task[None]] = []
        controller = "p4abs.session.controller"
        monkeypatch.setattr(f"{controller}.target_of", lambda _kind: self)
        monkeypatch.setattr(f"{controller}.prepare", self._prepare)

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

    def settings(self, ports: Mapping[str, object] = {}, **switch: object) -> Settings:
        """Those of all switches, with some changed."""
        return _settings_of([*self.switches], ports, switch)

    async def run(
        self, duration_s: float, meanwhile: Callable[[Run], Awaitable[None]] | None = None
    ) -> Run:
        """Controls all switches for that long; `meanwhile` is begun half-way."""
        settings = self.settings()
        self._by_address = {each.grpc_addr: self.switches[each.name] for each in settings.switch}
        fleet, ticks = control_run.make_fleet(settings, self.clock), Ticks(self.clock)
        fleet.watchers.append(ticks)
        stop = asyncio.Event()
        controllers = {name: each.controller for name, each in fleet.switches.items()}
        task = asyncio.create_task(control_fleet(controllers, stop, fleet.announce))
        run = Run(fleet, ticks)
        try:
            await self.clock.run_until(self.clock.time_s + duration_s / 2)
            if meanwhile is not None:
                await meanwhile(run)
            await self.clock.run_until(self.clock.time_s + duration_s / 2)
        finally:
            stop.set()
            await self.clock.run_until(self.clock.time_s + 10)
        run.failures = await task
        return run

    def require(self) -> None:
        """See Target."""

    def session(self, address: str, *_: object) -> VirtualConnection:
        """See Target."""
        return VirtualConnection(self._by_address[address])

    async def _prepare(self, connection: VirtualConnection, *_: object):
        return connection.switch, load_program("queue")


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return World(monkeypatch)
