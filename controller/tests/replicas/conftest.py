"""Replicas at work, over real gRPC and in worlds of virtual time."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from p4abs.access.program import load_program
from p4abs.access.reading import ReadOnlyConnection
from p4abs.clock import MonotonicClock
from p4abs.config import Source, load_settings
from p4abs.session import Candidacy, Replica, SwitchController

from controller.tests.recorder import Recorder
from controller.tests.replicas.switches import Channel
from controller.tests.replicas.world import World

PORT, LIMIT, SAFE_LIMIT = 2, 60_000, 200_000


@dataclass
class Working(Recorder):
    """A replica's controller of one switch, what it says, how to end it."""

    stop: asyncio.Event = field(default_factory=asyncio.Event)
    controller: SwitchController = field(init=False)
    task: asyncio.Task[bool] = field(init=False)

    async def end(self) -> bool:
        self.stop.set()
        return await self.task


def _settings(address: str, policy: str = "static", **flags: str):
    port = {
        "number": str(PORT),
        "capacity": "10Mbit",
        "policy": policy,
        "safe-limit": f"{SAFE_LIMIT}B",
    }
    return load_settings(Source(), {"grpc-addr": address, **flags}, [port]).switch[0]


@asynccontextmanager
async def _replica(address: str, number: int, count: int = 2, **flags: str):
    """Number `number` of `count`, controlling the first switch of its fleet."""
    working = Working()
    working.controller = SwitchController(
        _settings(address, **flags),
        load_program("queue"),
        working,
        MonotonicClock(),
        candidacy=Candidacy(Replica(number, count)),
    )
    working.task = asyncio.create_task(working.controller.run(working.stop))
    try:
        yield working
    finally:
        working.stop.set()
        await asyncio.wait([working.task])


@pytest.fixture
def replica():
    """See _replica."""
    return _replica


@pytest.fixture
def settings():
    """See _settings."""
    return _settings


@pytest.fixture
def make_world(monkeypatch) -> Iterator[Callable[..., World]]:
    """Makes the world of a test."""
    made: list[World] = []

    def make(*arguments: int, **options: str) -> World:
        world = World(*arguments, **options)
        made.append(world)
        monkeypatch.setattr(
            ReadOnlyConnection,
            "_open_channel",
            lambda connection: Channel(world.link_of(connection.address)),
        )
        return world

    yield make
    for world in made:
        world.end()
