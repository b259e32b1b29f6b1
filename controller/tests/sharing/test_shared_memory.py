"""The tables follow the settings and the queues, whatever the switch says to that."""

import asyncio
from collections.abc import Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace

import grpc
import numpy as np
import pytest
from p4abs.access.rpc_error import RpcError
from p4abs.access.tables import Share, Sharing
from p4abs.config import Source, SwitchSettings, load_settings
from p4abs.sharing import SharedMemory, sharing_of

MEMORY = 1_000_000
PORTS = (2, 3, 4)


def settings(sharing: str = "abm", **port: object) -> SwitchSettings:
    tables = [{"number": number, "alpha": 0.25, "priority": number // 4} for number in PORTS]
    tables[0] |= port
    switch = {"memory": f"{MEMORY}B", "memory-sharing": sharing}
    (loaded,) = load_settings(Source({"switch": switch, "port": tables}), {}).switch
    return loaded


def samples(*backlogs: int) -> SimpleNamespace:
    steps = SimpleNamespace(
        ports=np.arange(len(backlogs)), occupancy_bytes=np.array(backlogs, np.int64)
    )
    return SimpleNamespace(numbers=PORTS, steps=steps)


@dataclass
class Tables:
    """Those of a switch; `refusals` are what it says to the next writes."""

    written: list[Sharing | Mapping[int, int]] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)

    async def write(self, wanted: Sharing) -> None:
        self._answer(wanted)

    async def scale(self, scales: Mapping[int, int]) -> None:
        self._answer(scales)

    def _answer(self, written: Sharing | Mapping[int, int]) -> None:
        if self.refusals:
            raise RpcError("write", grpc.StatusCode.INTERNAL, self.refusals.pop(0))
        self.written.append(written)


@dataclass
class World:
    memory: SharedMemory
    tables: Tables
    lines: list[str]

    async def settled(self) -> None:
        for _ in range(10):
            await asyncio.sleep(0)


@asynccontextmanager
async def world(clock, switch: SwitchSettings, *refusals: str, soon: bool = False):
    lines: list[str] = []
    memory, tables = SharedMemory(switch, clock, print, lines.append), Tables(refusals=[*refusals])
    await memory.begin(tables, soon=soon)
    task = asyncio.create_task(memory.run())
    try:
        yield World(memory, tables, lines)
    finally:
        task.cancel()
        await asyncio.wait([task])


def test_limits_need_no_entries_and_thresholds_one_for_each_queue() -> None:
    assert sharing_of(settings("limits")) == Sharing()
    shares = {2: Share(0, 512), 3: Share(0, 256), 4: Share(1, 256)}
    assert sharing_of(settings("dynamic-thresholds", alpha=0.5)) == Sharing(MEMORY, shares)
    queues = [{"number": 0}, {"number": 7, "alpha": 2, "priority": 6}]
    several = settings("dynamic-thresholds", queue=queues, capacity="1Gbit")
    assert sharing_of(several).queues == {**shares, 2: Share(0, 256), 7 * 512 + 2: Share(6, 2048)}
    assert sharing_of(settings("abm", alpha=0.5)).scales_65536ths == {0: 65536, 1: 65536}


def test_the_least_alpha_is_not_rounded_to_nothing() -> None:
    assert sharing_of(settings("abm", alpha=0.01)).queues[2].alpha_1024ths == 10


@pytest.mark.parametrize("soon", [False, True])
async def test_what_the_settings_ask_is_written_once(clock, soon) -> None:
    async with world(clock, settings(), soon=soon) as here:
        await here.settled()
        assert here.tables.written == [sharing_of(settings())]


async def test_before_control_begins_the_memory_is_guarded(clock) -> None:
    memory, tables = SharedMemory(settings(), clock, print, print), Tables()
    await memory.begin(tables, soon=False)
    assert tables.written == [sharing_of(settings())]


async def test_only_scales_that_change_are_written(clock) -> None:
    async with world(clock, settings()) as here:
        for backlog in (0, 136_364, 200_000, 200_000, 210_000):
            here.memory.follow(samples(backlog, backlog, 0))
            await here.settled()
        assert here.tables.written[1:] == [{0: 43691, 1: 65536}, {0: 32768, 1: 65536}]


async def test_thresholds_without_classes_are_never_scaled(clock) -> None:
    async with world(clock, settings("dynamic-thresholds")) as here:
        here.memory.follow(samples(200_000, 200_000, 200_000))
        await here.settled()
        assert len(here.tables.written) == 1


async def test_other_settings_are_written_whole(clock) -> None:
    async with world(clock, settings()) as here:
        for other in (settings(alpha=2), settings("limits"), settings("dynamic-thresholds")):
            here.memory.adopt(other)
            await here.settled()
            assert here.tables.written[-1] == sharing_of(other)


async def test_after_a_restart_the_scales_are_those_of_the_last_queues(clock) -> None:
    async with world(clock, settings()) as here:
        here.memory.follow(samples(200_000, 200_000, 0))
        await here.settled()
        here.memory.restore()
        await here.settled()
        assert here.tables.written[-1].scales_65536ths == here.tables.written[-2]


async def test_what_is_refused_is_said_once_and_tried_again(clock) -> None:
    async with world(clock, settings(), "no", "no", "no", "never") as here:
        before_s = clock.now_s()
        while not here.tables.written:
            await here.settled()
        assert here.lines == [
            "memory-sharing: write: INTERNAL: no; trying again",
            "memory-sharing: write: INTERNAL: never; trying again",
        ]
        assert clock.now_s() - before_s == pytest.approx(3.0)
        assert here.tables.written == [sharing_of(settings())]


async def test_a_scale_that_is_refused_is_written_with_all_else(clock) -> None:
    async with world(clock, settings()) as here:
        here.tables.refusals.append("no such entry")
        here.memory.follow(samples(200_000, 200_000, 0))
        while len(here.tables.written) < 2:
            await here.settled()
        assert here.tables.written[-1].scales_65536ths == {0: 32768, 1: 65536}


async def test_who_leaves_leaves_thresholds_of_queues_that_nobody_counts(clock) -> None:
    async with world(clock, settings()) as here:
        here.memory.follow(samples(200_000, 200_000, 0))
        await here.settled()
        await here.memory.leave()
        assert here.tables.written[-1] == {0: 65536, 1: 65536}


async def test_thresholds_that_cannot_be_left_so_are_said(clock) -> None:
    async with world(clock, settings()) as here:
        here.memory.follow(samples(200_000, 200_000, 0))
        await here.settled()
        here.tables.refusals.append("no")
        await here.memory.leave()
        assert here.lines == ["memory-sharing: write: INTERNAL: no; thresholds stay as they are"]


async def test_a_program_without_the_tables_is_left_alone(clock) -> None:
    lines: list[str] = []
    memory = SharedMemory(settings("limits"), clock, print, lines.append)
    await memory.begin(None, soon=False)
    memory.follow(samples(1, 2, 3))
    await memory.leave()
    assert lines == []
