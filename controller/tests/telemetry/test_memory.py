"""A run's memory: what it takes at its beginning is what it takes, with all who follow it."""

import gc
import sys
from collections import deque
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from threading import Event

import pytest
from p4abs.config import Source, load_settings
from p4abs.control import ControlledPort, ControlLoop, MemoryPool, Samples
from p4abs.measurements import Snapshot
from p4abs.policies import Targets, create
from p4abs.telemetry import Board, Fleet, Metrics, WatchedSwitch
from p4abs.telemetry.fleet import Watcher
from p4abs.telemetry.samples import Rotation, SampleFile, parquet
from p4abs.telemetry.samples.columns import Told
from p4abs.telemetry.samples.file import MAX_WAITING, give_back
from p4abs.telemetry.web.fleet_json import FleetJson
from prometheus_client import CollectorRegistry
from prometheus_client.openmetrics.exposition import generate_latest

from controller.tests.telemetry.controllers import Controller
from controller.tests.telemetry.samples import SAMPLE, samples_of

PORTS = range(1, 17)
CAPACITY_BPS = 10_000_000
INTERVAL_S = 0.1
SETTLED_TICKS = 400
TICKS = 1000
LOOK_TICKS = 50
SPAN_TICKS = 200
# A number kept of each tick would be more in every span; other threads of the process also take
# memory, but not in every one.
NOISE_BLOCKS = SPAN_TICKS // 2
MANY_PORTS = range(1, 251)
PATIENCE_S = 60.0


class Ended(Exception):
    """The run is over."""


class Written(Watcher):
    """Samples in a table, without a thread that could be behind."""

    def __init__(self, path: Path) -> None:
        self.table = parquet.SampleTable(path, Rotation(), pytest.fail)

    def sampled(self, switch: WatchedSwitch, samples: Samples) -> None:
        meter = switch.meter
        self.table.write(
            Told(
                switch.name,
                samples,
                meter.positions(samples),
                meter.agreement_figures,
                switch.states.states,
            )
        )


class Stuck:
    """A disk that takes nothing until it is let."""

    name = "samples.parquet"

    def __init__(self) -> None:
        self.may_go_on = Event()

    def write(self, _told: Told) -> bool:
        return self.may_go_on.wait(PATIENCE_S)

    def reopen(self) -> None:
        pass

    def close(self) -> None:
        pass


def watched_switch(fleet: Fleet, numbers: Sequence[int]) -> WatchedSwitch:
    ports = [{"number": number, "capacity": f"{CAPACITY_BPS}bit"} for number in numbers]
    table = {"name": "spine", "grpc-addr": "192.0.2.1:9559", "port": ports}
    (settings,) = load_settings(Source({"switch": [table]}), {}).switch
    fleet.add(fleet.make(settings, lambda _events: Controller(settings)))
    return fleet.switches["spine"]


def followed(fleet: Fleet, path: Path, clock) -> tuple[Written, Callable[[], object]]:
    """Metrics, page and samples follow the fleet; gives a look at the first two."""
    metrics, board, written = Metrics(fleet), Board(fleet, clock.now_s), Written(path)
    fleet.watchers += [metrics, board, written]
    registry, page = CollectorRegistry(), FleetJson(board, clock.now_s)
    registry.register(metrics)
    return written, lambda: (generate_latest(registry), page.get())


def busy(snapshot: Snapshot) -> Snapshot:
    return replace(
        snapshot,
        timestamp_us=snapshot.timestamp_us + round(1e6 * INTERVAL_S),
        admitted_bytes=snapshot.admitted_bytes + 125_000,
        dropped_bytes=snapshot.dropped_bytes + 1_000,
        departed_bytes=snapshot.departed_bytes + 125_000,
    )


def blocks() -> int:
    """Of memory, that Python's objects take."""
    gc.collect()
    return sys.getallocatedblocks()


def resident_bytes() -> int:
    """What the process has in memory, with what its heap keeps."""
    lines = Path("/proc/self/status").read_text().splitlines()
    [kilobytes] = [line.split()[1] for line in lines if line.startswith("RssAnon:")]
    return 1024 * int(kilobytes)


async def test_a_run_takes_no_more_memory_the_longer_it_lasts(
    clock, switch, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(parquet, "BLOCK_ROWS", 10 * len(PORTS))
    monkeypatch.setattr(parquet, "MAX_BLOCKS", 4)
    fleet, taken = Fleet(), []
    watched = watched_switch(fleet, PORTS)
    written, look = followed(fleet, tmp_path / "samples.parquet", clock)

    def tick() -> None:
        watched.tick()
        ticks = loop.statistics.ticks
        if ticks % LOOK_TICKS == 0:
            look()
        if ticks in range(SETTLED_TICKS, TICKS + 1, SPAN_TICKS):
            taken.append(blocks())
        if ticks == TICKS:
            raise Ended

    targets = Targets(0.98, 0.02, None, 3028, 1_250_000)
    ports = [
        ControlledPort(port, CAPACITY_BPS, create("abs", CAPACITY_BPS, targets), 50_000)
        for port in PORTS
    ]
    loop = ControlLoop(ports, MemoryPool(None), INTERVAL_S, clock, watched.sampled, on_tick=tick)
    watched.controller.loop = loop
    switch.behave, switch.written = busy, deque(maxlen=1)
    await loop.begin(switch)
    with pytest.raises(Ended):
        await loop.run(switch)
    written.table.close()
    more = [after - before for before, after in pairwise(taken)]
    assert len(more) == 3
    assert min(more) < NOISE_BLOCKS


def test_samples_that_waited_take_no_memory_once_they_are_written() -> None:
    switch, disk, said = watched_switch(Fleet(), MANY_PORTS), Stuck(), []
    made = samples_of(MANY_PORTS, *(replace(SAMPLE, port=port) for port in MANY_PORTS))
    give_back()
    before_bytes = resident_bytes()
    with SampleFile(lambda _tell: disk, said.append, PATIENCE_S) as file:
        # The newest stays in use: it ends the heap, which by itself shrinks from there only.
        for _ in range(MAX_WAITING):
            newest = deepcopy(made)
            file.sampled(switch, newest)
        waiting_bytes = resident_bytes() - before_bytes
        disk.may_go_on.set()
    assert not said
    assert resident_bytes() - before_bytes < waiting_bytes / 4
