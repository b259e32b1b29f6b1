"""A clock and a switch that exist in virtual time only."""

import asyncio
import gc
import os
import sys
from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import grpc
import pytest
from p4abs.access.register_access import ExchangeTimeout, Snapshots
from p4abs.access.rpc_error import PortRefused, RpcError
from p4abs.errors import P4absError
from p4abs.measurements import Snapshot

from controller.tests.patient import PATIENCE_S, wait_long
from controller.tests.replicas.live.proxy import Proxy

ROOT = Path(__file__).parents[2]


def pytest_collection_finish() -> None:
    """All tests and modules stay to the end: the garbage collector need not look at them again."""
    gc.collect()
    gc.freeze()


class VirtualClock:
    """Sleeping takes no time, and ends `oversleep_s` late."""

    def __init__(self) -> None:
        self.time_s = 100.0
        self.oversleep_s = 0.0

    def now_s(self) -> float:
        return self.time_s

    async def sleep_until(self, deadline_s: float) -> None:
        self.time_s = max(self.time_s, deadline_s + self.oversleep_s)
        await asyncio.sleep(0)


@dataclass
class VirtualSwitch:
    """A RegisterAccess whose ports do per exchange what `behave` says; an exchange takes time.

    The replies to the ports in `lost`, counted from 0 over all exchanges, do not arrive. The ports
    in `unknown` are refused.
    """

    clock: VirtualClock
    exchange_s: float = 0.001
    path: str = "virtual"
    ports: dict[int, Snapshot] = field(default_factory=dict)
    written: list[tuple[int, int]] = field(default_factory=list)
    drain_rates: dict[int, int] = field(default_factory=dict)
    ecn_marking: dict[int, bool] = field(default_factory=dict)
    exchanges: int = 0
    asked: int = 0
    lost: Container[int] = ()
    unknown: Container[int] = ()
    behave: Callable[[Snapshot], Snapshot] = lambda snapshot: snapshot

    async def exchange(self, ports: Sequence[int], limits: Mapping[int, int]) -> Snapshots:
        self.exchanges += 1
        self.clock.time_s += self.exchange_s
        snapshots = Snapshots()
        for port in ports:
            index, self.asked = self.asked, self.asked + 1
            if port in self.unknown:
                refusal = RpcError("read", grpc.StatusCode.OUT_OF_RANGE, "no such port")
                snapshots.failures[port] = PortRefused(port, refusal)
                continue
            before = self.ports.get(port, Snapshot(0, 0, 0, 0, 0))
            if port in limits:
                self.written.append((port, limits[port]))
                before = replace(before, limit_bytes=limits[port])
            self.ports[port] = self.behave(before)
            if index in self.lost:
                snapshots.failures[port] = ExchangeTimeout(f"reply {index} is lost")
            else:
                snapshots.taken[port] = self.ports[port]
        return snapshots

    async def configure(
        self,
        drain_rates_bps: Mapping[int, int],
        ecn_marking: Mapping[int, bool],
        mtu_bytes: Mapping[int, int] = {},
    ) -> dict[int, P4absError]:
        self.drain_rates |= drain_rates_bps
        self.ecn_marking |= ecn_marking
        return {}


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def switch(clock: VirtualClock) -> VirtualSwitch:
    return VirtualSwitch(clock)


def check_golden(path: Path, text: str) -> None:
    """Compares with a golden file, or rewrites it when UPDATE_GOLDEN is set."""
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    command = "UPDATE_GOLDEN=1 python -m pytest controller/tests"
    assert text == path.read_text(encoding="utf-8"), f"if the change is meant: {command}"


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compares a text with the golden file of a name."""
    return lambda name, text: check_golden(Path(__file__).parent / "golden" / name, text)


@pytest.fixture
def proxy() -> type[Proxy]:
    return Proxy


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may take longer for an answer than a controller waits for it."""
    wait_long(monkeypatch.setattr)


class Waiting:
    """The waiting for mailbox replies, which ends when the test says."""

    def __init__(self) -> None:
        self.times = 0
        self._last: asyncio.Timeout | None = None

    def begin(self, _delay_s: float) -> asyncio.Timeout:
        self.times += 1
        self._last = asyncio.timeout(PATIENCE_S)
        return self._last

    def end(self) -> None:
        """Replies that have not come by now are too late."""
        assert self._last is not None
        self._last.reschedule(asyncio.get_running_loop().time())


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Waiting:
    """See Waiting."""
    waiting = Waiting()
    standing_in = SimpleNamespace(timeout=waiting.begin, get_running_loop=asyncio.get_running_loop)
    monkeypatch.setattr("p4abs.access.conversation.asyncio", standing_in)
    return waiting


class Controlling:
    """The process, and what it has said."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.lines: list[str] = []

    async def until_said(self, *texts: str) -> None:
        """Reads messages until each text has been in one."""
        async with asyncio.timeout(3 * PATIENCE_S):  # it has to start first
            while not all(any(text in line for line in self.lines) for text in texts):
                line = await self.process.stderr.readline()
                assert line, f"ended, having said {self.lines}"
                self.lines.append(line.decode().rstrip())

    async def end(self) -> int:
        """SIGTERM; the exit status."""
        if self.process.returncode is None:
            self.process.terminate()
        self.lines += (await self.process.stderr.read()).decode().splitlines()
        return await self.process.wait()


@asynccontextmanager
async def controlling_process(
    path: Path, *options: str, module: str = "controller.tests.patient", **environment: str
):
    """`p4abs control` as a process of its own, with `patience`; killed at the end if need be."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module, "control", "--config", str(path), "--quiet", *options),
        stderr=asyncio.subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, **environment},
    )
    try:
        yield Controlling(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.fixture
def controlling():
    """See controlling_process."""
    return controlling_process


async def until(condition: Callable[[], bool], timeout_s: float = 2 * PATIENCE_S) -> None:
    """Waits for a condition of other tasks' making."""
    async with asyncio.timeout(timeout_s):
        while not condition():  # noqa: ASYNC110 - registers and pipes set no event
            await asyncio.sleep(0.002)


@pytest.fixture
def eventually() -> Callable[..., Awaitable[None]]:
    """Waits for a condition, at most two minutes."""
    return until
