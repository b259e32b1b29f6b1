"""A clock and a switch that exist in virtual time only."""

import asyncio
import os
from collections.abc import Callable, Container
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from p4abs.access import ExchangeTimeout, Snapshot


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

    The replies of the exchanges in `lost`, counted from 0, do not arrive.
    """

    clock: VirtualClock
    exchange_s: float = 0.001
    path: str = "virtual"
    ports: dict[int, Snapshot] = field(default_factory=dict)
    written: list[tuple[int, int]] = field(default_factory=list)
    drain_rates: dict[int, int] = field(default_factory=dict)
    exchanges: int = 0
    lost: Container[int] = ()
    behave: Callable[[Snapshot], Snapshot] = lambda snapshot: snapshot

    async def exchange(self, port: int, limit_bytes: int | None) -> Snapshot:
        index, self.exchanges = self.exchanges, self.exchanges + 1
        self.clock.time_s += self.exchange_s
        before = self.ports.get(port, Snapshot(0, 0, 0, 0, 0))
        if limit_bytes is not None:
            self.written.append((port, limit_bytes))
            before = replace(before, limit_bytes=limit_bytes)
        self.ports[port] = self.behave(before)
        if index in self.lost:
            raise ExchangeTimeout(f"the reply of exchange {index} is lost")
        return self.ports[port]

    async def set_drain_rate(self, port: int, rate_bps: int) -> None:
        self.drain_rates[port] = rate_bps


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
