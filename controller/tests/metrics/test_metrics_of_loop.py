"""Scrapes of a control loop that runs in virtual time."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import pairwise
from threading import Condition, Event, Thread
from typing import Self

import pytest
from p4abs.control import ControlledPort, ControlLoop, MemoryPool, Sample, Samples
from p4abs.measurements import Snapshot
from p4abs.policies import Targets, create
from p4abs.session import SwitchState
from p4abs.telemetry import metrics_access
from p4abs.telemetry.metrics.server import serve_metrics

PORTS = (2, 3)
CAPACITY_BPS = 10_000_000
ANY = metrics_access("127.0.0.1:0")


class Enough(Exception):
    """The loop has run for as long as the test wants."""


def make_loop(clock, on_samples, on_tick, restore=None) -> ControlLoop:
    targets = Targets(0.98, 0.02, None, 3028, 1_250_000)
    return ControlLoop(
        [
            ControlledPort(port, CAPACITY_BPS, create("abs", CAPACITY_BPS, targets), 50_000)
            for port in PORTS
        ],
        MemoryPool(None),
        0.02,
        clock,
        on_samples,
        on_tick=on_tick,
        restore=restore,
    )


def congested(snapshot: Snapshot) -> Snapshot:
    """20 ms at full utilization, and losses that come and go."""
    lost_bytes = 3_000 if snapshot.timestamp_us % 160_000 == 0 else 0
    return replace(
        snapshot,
        timestamp_us=snapshot.timestamp_us + 20_000,
        admitted_bytes=snapshot.admitted_bytes + 25_000,
        dropped_bytes=snapshot.dropped_bytes + lost_bytes,
        departed_bytes=snapshot.departed_bytes + 25_000,
    )


class Scraper:
    """Scrapes one time after the other while the block runs."""

    def __init__(self, fetch, url: str) -> None:
        self._scrape = lambda: fetch(url)
        self._scraped = Condition()
        self._count = 0
        self._end = Event()
        self._thread = Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def wait_for_another(self) -> None:
        """Returns when one has ended that may have begun before."""
        with self._scraped:
            before = self._count
            assert self._scraped.wait_for(lambda: self._count > before, timeout=30)

    def _run(self) -> None:
        while not self._end.is_set():
            self._scrape()
            with self._scraped:
                self._count += 1
                self._scraped.notify_all()


async def run(loop: ControlLoop, switch) -> None:
    await loop.begin(switch)
    with pytest.raises(Enough):
        await loop.run(switch)


async def test_totals_go_on_where_a_data_plane_starts_anew_and_are_those_of_the_samples(
    clock, switch, followed, scrape
) -> None:
    def restarts(snapshot: Snapshot) -> Snapshot:
        return Snapshot(0, 0, 0, 0, 0) if switch.exchanges in (20, 45) else congested(snapshot)

    async def restore(_access: object, ports: Sequence[int]) -> None:
        restarted.extend(ports)

    def record(told: Samples) -> None:
        samples.extend(told)
        watched.sampled(told)

    def tick() -> None:
        watched.tick()
        scrapes.append(scrape(watched.metrics))
        if loop.statistics.ticks == 50:
            raise Enough

    samples: list[Sample] = []
    restarted: list[int] = []
    scrapes = []
    watched = followed(PORTS)
    switch.behave = restarts
    watched.controller.loop = loop = make_loop(clock, record, tick, restore)
    await run(loop, switch)

    # An answer without a limit is of a new life, also where it could be a late one of this life.
    assert restarted == [2, 3, 2, 3]
    for before, after in pairwise(scrapes):
        for key, value in before.series.items():
            if key[0].endswith(("_total", "_bucket", "_count", "_sum")):
                assert after.series[key] >= value
    for port in PORTS:
        for name in ("admitted", "dropped", "departed"):
            counted = [getattr(s.interval, f"{name}_bytes") for s in samples if s.port == port]
            assert sum(counted) > 0
            shown = scrapes[-1].value(f"p4abs_{name}_bytes_total", port=str(port))
            assert shown == sum(counted)
    assert scrapes[-1].value("p4abs_intervals_total") == 50
    assert scrapes[-1].value("p4abs_interval_lateness_seconds_count") == 50


async def test_a_port_that_is_refused_is_stalled_for_as_long_as_it_is(
    clock, switch, followed, scrape
) -> None:
    def withdraw(snapshot: Snapshot) -> Snapshot:
        switch.unknown = {3} if switch.exchanges < 80 else ()
        return congested(snapshot)

    def tick() -> None:
        if loop.statistics.ticks in (30, 60, 120):
            watched.controller.state = states[loop.statistics.ticks]
            scraped = scrape(watched.metrics)
            stalled.append(scraped.value("p4abs_port_stalled", port="3", reason="refused"))
            assert scraped.value("p4abs_port_stalled", port="2", reason="refused") is None
        if loop.statistics.ticks == 120:
            raise Enough

    states = {30: SwitchState.CONTROLLING, 60: SwitchState.LOST, 120: SwitchState.CONTROLLING}
    stalled: list[float | None] = []
    switch.behave = withdraw
    watched = followed(PORTS)
    watched.controller.loop = loop = make_loop(clock, watched.sampled, tick)
    await run(loop, switch)
    assert stalled == [1.0, None, None]


@pytest.fixture
def trace(clock, switch, followed, fetch):
    """Runs a loop of its own from the same beginning; the samples."""

    async def samples_of(scraped: bool) -> list[Sample]:
        def record(told: Samples) -> None:
            samples.extend(told)
            watched.sampled(told)

        def tick() -> None:
            watched.tick()
            if scraper is not None and loop.statistics.ticks % 20 == 0:
                scraper.wait_for_another()
            if loop.statistics.ticks == 200:
                raise Enough

        samples: list[Sample] = []
        watched = followed(PORTS)
        own_clock = type(clock)()
        own_switch = type(switch)(own_clock, behave=congested)
        watched.controller.loop = loop = make_loop(own_clock, record, tick)
        scraper = None
        with ExitStack() as stack:
            if scraped:
                url = stack.enter_context(serve_metrics(ANY, watched.metrics, pytest.fail))
                scraper = stack.enter_context(Scraper(fetch, url))
            await run(loop, own_switch)
        return samples

    return samples_of


async def test_scrapes_change_nothing_in_what_the_loop_does(trace) -> None:
    undisturbed = await trace(scraped=False)
    assert len({sample.decided_limit_bytes for sample in undisturbed}) > 10
    assert await trace(scraped=True) == undisturbed
