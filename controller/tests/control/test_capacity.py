"""The capacity that is measured while the link is saturated."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest
from p4abs.control.capacity import CapacityMeter
from p4abs.measurements import Snapshot

from controller.tests.control.shared_link import LINK_BPS, SharedLink

FRAME_BYTES = 1514
TICK_US = 20_000
START = Snapshot(0, 0, 0, 0, 50_000, 0, 0)


def saturated(snapshot: Snapshot, capacity_bps: float, stalled_us: int = 0) -> Snapshot:
    """A tick later, with a queue that never ran empty and stood still for a while."""
    sent_bytes = round(capacity_bps * (TICK_US - stalled_us) / 8e6)
    return replace(
        snapshot,
        timestamp_us=snapshot.timestamp_us + TICK_US,
        admitted_bytes=(snapshot.admitted_bytes + sent_bytes) % 2**64,
        departed_bytes=(snapshot.departed_bytes + sent_bytes) % 2**64,
    )


def idle(snapshot: Snapshot) -> Snapshot:
    """A tick later, without traffic."""
    return replace(
        snapshot,
        timestamp_us=snapshot.timestamp_us + TICK_US,
        unsaturated_us=snapshot.unsaturated_us + TICK_US,
    )


def measured(snapshots, **link: float) -> CapacityMeter:
    meter = CapacityMeter(**link)
    for before, after in pairwise(snapshots):
        meter.add(before, after)
    return meter


def ticks(count: int, tick, start: Snapshot = START) -> list[Snapshot]:
    snapshots = [start]
    for _ in range(count):
        snapshots.append(tick(snapshots[-1]))
    return snapshots


@pytest.mark.parametrize("load", [0.8, 0.95, 1.2])
@pytest.mark.parametrize("seed", range(3))
def test_any_load_with_queues_gives_the_capacity(ideal_link, load, seed) -> None:
    """Poisson arrivals of frames of any size: some find the link idle, some busy, some a queue."""
    chance = random.Random(seed)
    sizes = [chance.randint(64, FRAME_BYTES) for _ in range(4000)]
    mean_gap_us = sum(sizes) / len(sizes) / load
    link = ideal_link([(round(chance.expovariate(1 / mean_gap_us)), size) for size in sizes])
    snapshots = [link.snapshot(time_us) for time_us in range(0, link.end_us, TICK_US)]
    meter = measured(snapshots)
    assert meter.is_settled
    assert meter.capacity_bps == pytest.approx(link.CAPACITY_BPS, rel=0.01)


@pytest.mark.parametrize("load", [0.8, 1.5])
def test_windows_are_longer_where_frames_are(ideal_link, load) -> None:
    """A window's ends are as uncertain as its frames are long; 64 frames of 1514 bytes have 10."""
    chance = random.Random(1)
    arrivals = [(round(chance.expovariate(load / 9216)), 9216) for _ in range(1500)]
    link = ideal_link(arrivals)
    snapshots = [link.snapshot(time_us) for time_us in range(0, link.end_us, 50_000)]
    meter = CapacityMeter(9216)
    capacities_bps = set()
    for before, after in pairwise(snapshots):
        meter.add(before, after)
        if meter.is_settled:
            capacities_bps.add(meter.capacity_bps)
    assert capacities_bps
    assert max(abs(each / link.CAPACITY_BPS - 1) for each in capacities_bps) < 0.004


def test_frames_that_never_wait_say_nothing(ideal_link) -> None:
    link = ideal_link([(2 * FRAME_BYTES, FRAME_BYTES)] * 2000)
    meter = measured([link.snapshot(time_us) for time_us in range(0, link.end_us, TICK_US)])
    assert meter.capacity_bps is None


def test_the_capacity_is_unknown_until_enough_has_been_sent() -> None:
    snapshots = ticks(19, lambda last: saturated(last, 10e6))
    assert measured(snapshots).capacity_bps is None
    snapshots += ticks(1, lambda last: saturated(last, 10e6), snapshots[-1])[1:]
    assert measured(snapshots).capacity_bps == 10_000_000


def test_idle_time_between_saturated_intervals_does_not_matter() -> None:
    snapshots = [START]
    for _ in range(60):
        snapshots.append(saturated(snapshots[-1], 10e6))
        snapshots.append(idle(snapshots[-1]))
    assert measured(snapshots).capacity_bps == 10_000_000


def test_stalls_in_some_windows_do_not_move_the_capacity() -> None:
    """A window takes four ticks here; a stall lasts for most of a tick, in every third window."""
    snapshots = [START]
    for tick in range(120):
        snapshots.append(saturated(snapshots[-1], 10e6, 15_000 if tick % 12 == 0 else 0))
    assert measured(snapshots).capacity_bps == pytest.approx(10e6, rel=0.001)


@pytest.mark.parametrize("factor", [0.1, 0.5, 1.03, 2, 10])
def test_a_new_capacity_is_found_within_some_tens_of_saturated_intervals(factor) -> None:
    snapshots = ticks(100, lambda last: saturated(last, 20e6))
    snapshots += ticks(40, lambda last: saturated(last, factor * 20e6), snapshots[-1])[1:]
    meter = measured(snapshots)
    if factor >= 0.5:
        assert meter.capacity_bps == pytest.approx(factor * 20e6, rel=0.001)
    snapshots += ticks(160, lambda last: saturated(last, factor * 20e6), snapshots[-1])[1:]
    assert measured(snapshots).capacity_bps == pytest.approx(factor * 20e6, rel=0.001)


def test_the_counters_wrap_at_64_bits() -> None:
    start = replace(START, admitted_bytes=2**64 - 300_000, departed_bytes=2**64 - 300_000)
    assert measured(ticks(60, lambda last: saturated(last, 10e6), start)).capacity_bps == 10_000_000


def test_a_new_series_gives_up_the_window_under_way() -> None:
    meter = measured(ticks(50, lambda last: saturated(last, 10e6)))
    meter.forget()
    for before, after in pairwise(ticks(50, lambda last: saturated(last, 10e6))):
        meter.add(before, after)
    assert meter.capacity_bps == 10_000_000


def test_a_target_that_does_not_count_gives_no_capacity() -> None:
    blind = replace(START, unsaturated_us=None, unsaturated_bytes=None)
    assert measured(ticks(60, lambda last: saturated(last, 10e6), blind)).capacity_bps is None


def poisson(chance: random.Random, load: float, frames: int, until_us: int):
    """Arrivals of bursts of so many frames."""
    now_us = 0
    while now_us < until_us:
        now_us += round(chance.expovariate(load / (frames * FRAME_BYTES)))
        yield from ((now_us, FRAME_BYTES) for _ in range(frames))


@pytest.mark.parametrize("below", [0.0, 0.5, 1.2])
@pytest.mark.parametrize("frames", [1, 4])
@pytest.mark.parametrize("load", [0.05, 0.4, 0.8])
def test_a_queue_s_capacity_is_what_it_gets_while_it_has_frames_to_send(
    load: float, frames: int, below: float
) -> None:
    """One that is served first, with frames alone or in bursts, above another one."""
    chance, until_us = random.Random(1), 40_000_000
    link = SharedLink(
        above=[*poisson(chance, load, frames, until_us)],
        below=[*poisson(chance, below, 1, until_us)] if below else [],
    )
    snapshots = [link.snapshot(time_us) for time_us in range(0, until_us, TICK_US)]
    meter = measured(snapshots, shared_bps=LINK_BPS)
    assert meter.is_settled
    assert meter.capacity_bps == pytest.approx(link.rate_while_busy_bps(), rel=0.06)
