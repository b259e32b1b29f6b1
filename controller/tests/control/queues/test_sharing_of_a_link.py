"""One of several queues of a port: idle by the link's rate, sized by what others leave to it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from p4abs.config import Source, load_settings
from p4abs.control import MemoryPool, SwitchControl
from p4abs.control.batched import BatchedControl
from p4abs.control.per_port import PerPortControl
from p4abs.control.sample import Steps
from p4abs.measurements import Snapshot
from p4abs.queues import QueueAddress
from p4abs.session.ports.controls import adopt, capacities, make_port

LINK_BPS = 8_000_000  # a byte in a microsecond
TICK_US = 20_000
LOW, HIGH = QueueAddress(2, 0).index, QueueAddress(2, 7).index
BEGIN = Snapshot(0, 0, 0, 0, 50_000, 0, 0)

both_ways = pytest.mark.parametrize("way", [BatchedControl, PerPortControl])


def settings_of(**port: object):
    queues = [{"number": 0}, {"number": 7, "loss": 0.001}]
    table = {"number": 2, "capacity": "8Mbit", "policy": "static", "queue": queues, **port}
    return load_settings(Source({"port": [table]}), {}).switch[0]


def controlled(way: type[SwitchControl], settings) -> SwitchControl:
    ports = [make_port(port, 50_000, settings.interval) for port in settings.port]
    control = way(ports)
    control.decide(dict.fromkeys(control.numbers, BEGIN), MemoryPool(None))
    return control


def tick(before: Snapshot, sent: int, unsaturated_us: int = 0, unsaturated_bytes: int = 0):
    """20 ms later."""
    return replace(
        before,
        timestamp_us=before.timestamp_us + TICK_US,
        admitted_bytes=before.admitted_bytes + sent,
        departed_bytes=before.departed_bytes + sent,
        unsaturated_us=before.unsaturated_us + unsaturated_us,
        unsaturated_bytes=before.unsaturated_bytes + unsaturated_bytes,
    )


def decided(control: SwitchControl, snapshots: Sequence[Snapshot]) -> Steps:
    taken = dict(zip(control.numbers, snapshots, strict=True))
    steps = control.decide(taken, MemoryPool(None))
    assert steps is not None
    return steps


def watched(control: SwitchControl, low: Snapshot, *, shares: tuple[float, float], ticks: int):
    """Both queues have something to send all the time, and get these shares of the link."""
    high = low
    for _ in range(ticks):
        low, high = (
            tick(each, round(share * TICK_US))
            for each, share in zip((low, high), shares, strict=True)
        )
        decided(control, (low, high))
    return low, high


@both_ways
def test_a_frame_takes_the_link_for_as_long_as_the_link_needs(way: type[SwitchControl]) -> None:
    """By hand: 1500 bytes take 1.5 ms of the 8 ms of unsaturated time; 6.5 ms are idle.

    What the others leave, a fifth of the link here, would have made 7.5 ms of these bytes.
    """
    control = controlled(way, settings_of())
    low, high = watched(control, BEGIN, shares=(0.2, 0.8), ticks=200)
    assert control.port(LOW).measured_capacity_bps == pytest.approx(LINK_BPS / 5, rel=0.01)
    steps = decided(control, (tick(low, 4_000, 8_000, 1_500), tick(high, 16_000)))
    assert steps.intervals.idle_s == pytest.approx([0.0065, 0.0])


@both_ways
def test_a_queue_that_waits_behind_others_is_busy(way: type[SwitchControl]) -> None:
    """It has something to send, so all of its time is saturated, and it has no idle time."""
    control = controlled(way, settings_of())
    steps = decided(control, (tick(BEGIN, 0), tick(BEGIN, TICK_US)))
    assert steps.intervals.duration_s == pytest.approx([0.02, 0.02])
    assert steps.intervals.idle_s == pytest.approx([0.0, 0.0])


@both_ways
def test_bounds_follow_from_what_the_queue_gets(way: type[SwitchControl]) -> None:
    settings = settings_of(**{"max-delay": "10ms"})
    control = controlled(way, settings)
    # As long as nothing is measured, the link's rate.
    assert capacities(control, settings) == {LOW: LINK_BPS, HIGH: LINK_BPS}
    watched(control, BEGIN, shares=(0.4, 0.6), ticks=200)
    assert capacities(control, settings) == {
        LOW: pytest.approx(0.4 * LINK_BPS, rel=0.01),
        HIGH: pytest.approx(0.6 * LINK_BPS, rel=0.01),
    }
    assert control.limits() == {
        LOW: pytest.approx(4_000, rel=0.01),
        HIGH: pytest.approx(6_000, rel=0.01),
    }


@both_ways
def test_no_queue_gets_more_than_the_link(way: type[SwitchControl]) -> None:
    """Whatever is measured."""
    settings = settings_of(**{"max-delay": "10ms"})
    control = controlled(way, settings)
    watched(control, BEGIN, shares=(1.3, 0.1), ticks=200)
    assert control.port(LOW).measured_capacity_bps == pytest.approx(1.3 * LINK_BPS, rel=0.01)
    assert capacities(control, settings)[LOW] == LINK_BPS
    assert control.limits()[LOW] == 10_000


@both_ways
def test_what_a_queue_gets_is_no_news_about_the_link(way: type[SwitchControl]) -> None:
    control = controlled(way, settings_of())
    watched(control, BEGIN, shares=(0.4, 0.6), ticks=200)
    assert control.take_notices() == []


@both_ways
def test_a_queue_whose_settings_change_keeps_what_is_measured(way: type[SwitchControl]) -> None:
    before, after = settings_of(), settings_of(**{"max-delay": "20ms"})
    control = controlled(way, before)
    watched(control, BEGIN, shares=(0.25, 0.75), ticks=200)
    adopt(control, before, after, MemoryPool(None))
    assert control.limits() == {
        LOW: pytest.approx(5_000, rel=0.01),
        HIGH: pytest.approx(15_000, rel=0.01),
    }


def test_both_ways_measure_queues_alike() -> None:
    """To the bit."""
    found = []
    for way in (BatchedControl, PerPortControl):
        control = controlled(way, settings_of(policy="abs"))
        low, high = watched(control, BEGIN, shares=(0.3, 0.7), ticks=150)
        for _ in range(150):
            low, high = tick(low, 3_000, 9_000, 700), tick(high, 17_000, 1_100, 900)
            steps = decided(control, (low, high))
        numbers = (steps.intervals.idle_s, steps.capacity_bps, steps.decisions.limit_bytes)
        found.append([each.tolist() for each in numbers])
    assert found[0] == found[1]
