"""The operating system's clock, and sleeping by it."""

import asyncio
import resource
from pathlib import Path

import pytest
from p4abs.clock import MonotonicClock

PATIENCE_S = 60.0


async def _lateness_s(clock: MonotonicClock, duration_s: float) -> float:
    deadline_s = clock.now_s() + duration_s
    await clock.sleep_until(deadline_s)
    return clock.now_s() - deadline_s


def _open_files() -> set[str]:
    return {file.name for file in Path("/proc/self/fd").iterdir()}


@pytest.mark.parametrize("duration_s", [-1.0, 0.0, 1e-9, 0.0003, 0.005])
async def test_a_sleep_never_ends_before_the_deadline(duration_s: float) -> None:
    clock = MonotonicClock()
    for _ in range(10):
        assert await _lateness_s(clock, duration_s) >= -1e-6


async def test_deadlines_between_milliseconds_are_met() -> None:
    """A wait that is rounded up to a millisecond is late by 0.7 ms, however often it is tried."""
    clock = MonotonicClock()
    async with asyncio.timeout(PATIENCE_S):
        while await _lateness_s(clock, 0.0003) >= 0.0005:
            pass


async def test_sleepers_of_one_clock_do_not_wake_each_other() -> None:
    clock = MonotonicClock()
    durations_s = (0.002, 0.0005, 0.001, 0.0005)
    for _ in range(10):
        sleeps = [_lateness_s(clock, duration_s) for duration_s in durations_s]
        assert min(await asyncio.gather(*sleeps)) >= -1e-6


async def test_a_sleep_that_is_given_up_at_its_deadline_does_not_shorten_the_next() -> None:
    clock = MonotonicClock()

    async def sleep_again(deadline_s: float) -> float:
        with pytest.raises(asyncio.CancelledError):
            await clock.sleep_until(deadline_s)
        return await _lateness_s(clock, 0.01)

    for _ in range(10):
        deadline_s = clock.now_s() + 0.0005
        sleeper = asyncio.create_task(sleep_again(deadline_s))
        await asyncio.sleep(0)  # it sleeps
        sleeper.cancel()
        while clock.now_s() < deadline_s:
            pass  # the event loop learns of both at once
        assert await sleeper >= -1e-6


async def test_sleeps_keep_no_more_open_than_there_were_sleepers_at_once() -> None:
    clock = MonotonicClock()
    before = _open_files()
    for _ in range(10):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(clock.sleep_until(clock.now_s() + 60), 0.001)
        await asyncio.gather(*[_lateness_s(clock, 0.0001) for _ in range(3)])
    assert len(_open_files() - before) == 3


def test_a_clock_of_another_event_loop_goes_on_in_this_one() -> None:
    clock = MonotonicClock()
    asyncio.run(_lateness_s(clock, 0.0001))
    before = _open_files()
    for _ in range(10):
        assert asyncio.run(_lateness_s(clock, 0.0001)) >= -1e-6
    assert _open_files() == before


async def test_without_a_descriptor_for_a_timer_a_sleep_ends_all_the_same() -> None:
    clock = MonotonicClock()
    present, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, most))
    try:
        assert await _lateness_s(clock, 0.002) >= -1e-6
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (present, most))
