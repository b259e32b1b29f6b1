"""The schedule keeps its deadlines whatever happens between them."""

import pytest
from p4abs.clock import MonotonicClock
from p4abs.control import Schedule


async def test_deadlines_do_not_drift(clock) -> None:
    schedule = Schedule(clock, 0.02)
    for _ in range(1000):
        await schedule.next()
        clock.time_s += 0.013
    assert clock.time_s == pytest.approx(100.0 + 1000 * 0.02 + 0.013)
    assert schedule.missed == 0


async def test_oversleeping_is_lateness_and_does_not_shift_the_next_deadline(clock) -> None:
    schedule = Schedule(clock, 0.02)
    clock.oversleep_s = 0.003
    assert await schedule.next() == pytest.approx(0.003)
    clock.oversleep_s = 0.0
    assert await schedule.next() == 0.0
    assert clock.time_s == pytest.approx(100.04)


async def test_deadlines_that_passed_during_the_work_are_counted_and_left_out(clock) -> None:
    schedule = Schedule(clock, 0.02)
    await schedule.next()
    clock.time_s += 0.05
    await schedule.next()
    assert schedule.missed == 2
    assert clock.time_s == pytest.approx(100.08)


async def test_work_that_ends_within_its_interval_misses_nothing(clock) -> None:
    schedule = Schedule(clock, 0.02)
    await schedule.next()
    clock.time_s += 0.0199
    await schedule.next()
    assert schedule.missed == 0


async def test_the_real_clock_never_wakes_before_the_deadline() -> None:
    clock = MonotonicClock()
    deadline_s = clock.now_s() + 0.005
    await clock.sleep_until(deadline_s)
    assert clock.now_s() >= deadline_s - 1e-6
