"""The schedule keeps its deadlines whatever happens between them."""

import pytest
from p4abs.control import Schedule, free_phase


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


async def test_deadlines_are_at_the_phase_whenever_the_schedule_begins(clock) -> None:
    for begun_s in (0.0, 0.0001, 0.013, 0.0199):
        for phase in (0.0, 0.25, 0.9):
            clock.time_s = 100 + begun_s
            schedule = Schedule(clock, 0.02, phase)
            await schedule.next()
            assert (clock.time_s / 0.02) % 1 == pytest.approx(phase, abs=1e-6) or phase == 0.0
            assert 0.02 - 1e-9 <= clock.time_s - (100 + begun_s) <= 0.04 + 1e-9
            first_s = clock.time_s
            await schedule.next()
            assert clock.time_s - first_s == pytest.approx(0.02)
            assert schedule.missed == 0


def test_a_free_phase_is_the_middle_of_the_widest_gap() -> None:
    assert free_phase([]) == 0.0
    assert free_phase([0.0]) == 0.5
    assert free_phase([0.75, 0.0, 0.5]) == 0.25
    assert free_phase([0.0, 0.25, 0.5]) == 0.75
    assert free_phase([0.3, 0.4, 0.8]) == pytest.approx(0.05)
