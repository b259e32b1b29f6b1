"""When beats come: on a grid, behind somebody else, after a time without the processor."""

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.heartbeat import BEHIND, MADE_GOOD, Heartbeat

from controller.tests.replicas.processes import Process, Timeline

INTERVAL_S = 0.02
COUNT = 12


class Beating:
    """A process with a heartbeat; `at_s` is when it beat. It is followed up on its first turn."""

    def __init__(self, phase: float, begin: str, begin_s: float = 0.0) -> None:
        self.at_s: list[float] = []
        self.timeline = Timeline()
        self.timeline.now_s += begin_s
        self._phase, self._begin = phase, begin
        self.process = Process(self.timeline, self._main())
        self.run(0.0)

    async def _main(self) -> None:
        self.heartbeat = Heartbeat(INTERVAL_S, self._phase, self._beat)
        getattr(self.heartbeat, self._begin)()
        await asyncio.Event().wait()

    def _beat(self) -> None:
        self.at_s.append(self.timeline.now_s)

    def run(self, intervals: float) -> list[float]:
        """The beats until then."""
        self.timeline.run_until(self.timeline.now_s + intervals * INTERVAL_S)
        return self.at_s

    def hear(self) -> None:
        self.process.receive(self.heartbeat.follow)
        self.run(0.0)

    def stand_still(self, intervals: float) -> None:
        self.process.stop()
        self.run(intervals)
        self.process.go_on()
        self.run(0.0)

    def end(self) -> None:
        self.process.kill()


@pytest.fixture
def beating():
    """Makes one that beats."""
    made = []

    def make(*arguments: object) -> Beating:
        made.append(Beating(*arguments))
        return made[-1]

    yield make
    for each in made:
        each.end()


def apart(at_s: list[float]) -> list[float]:
    """In intervals."""
    return [(after - before) / INTERVAL_S for before, after in pairwise(at_s)]


def off_grid(at_s: list[float], phase: float) -> float:
    """How far the worst of them is, in intervals."""
    places = [time_s / INTERVAL_S - phase for time_s in at_s]
    return max(abs(place - round(place)) for place in places)


@given(st.floats(0, 1, exclude_max=True), st.floats(0, 1))
def test_who_leads_beats_on_its_grid_whenever_it_has_begun(phase, begin_s) -> None:
    leading = Beating(phase, "lead", begin_s)
    try:
        at_s = leading.run(COUNT)
        assert len(at_s) in (COUNT - 1, COUNT)
        assert off_grid(at_s, phase) < 1e-6
    finally:
        leading.end()


@pytest.mark.parametrize("before", ["lead", "follow"])
def test_who_leads_loses_no_place_on_the_grid_by_having_stood_still(beating, before) -> None:
    leading = beating(0.3, before)
    leading.process.receive(leading.heartbeat.lead)
    leading.run(2.5)
    leading.stand_still(3.4)
    late_s = leading.at_s[-1]
    after_s = [at_s for at_s in leading.run(4) if at_s > late_s]
    assert off_grid(after_s, 0.3) < 1e-6
    assert apart(after_s) == pytest.approx([1.0] * (len(after_s) - 1))
    assert MADE_GOOD <= (after_s[0] - late_s) / INTERVAL_S <= 1 + MADE_GOOD


def test_who_follows_beats_behind_each_sign_of_life(beating) -> None:
    following = beating(0.3, "follow")
    heard_s = []
    for _ in range(COUNT):
        following.hear()
        heard_s.append(following.timeline.now_s)
        following.run(1.0)
    expected_s = [time_s + BEHIND * INTERVAL_S for time_s in heard_s]
    assert following.at_s == pytest.approx(expected_s)


def test_who_follows_goes_on_at_intervals_when_there_is_nothing_to_follow(beating) -> None:
    following = beating(0.3, "follow")
    begun_s = following.timeline.now_s
    at_s = following.run(COUNT)
    assert at_s[0] - begun_s == pytest.approx(BEHIND * INTERVAL_S)
    assert apart(at_s) == pytest.approx([1.0] * (COUNT - 1))


@pytest.mark.parametrize("still", [0.1, 0.7, 5.3])
def test_who_has_stood_still_beats_not_much_sooner_than_an_interval_later(beating, still) -> None:
    following = beating(0.3, "follow")
    following.run(BEHIND + 1.0 - 0.05)
    following.stand_still(still)
    gaps = apart(following.run(4))
    late = max(gaps[0] - 1.0, 0.0)
    assert gaps[1] == pytest.approx(1.0 - min(late, MADE_GOOD))
    assert gaps[2:] == pytest.approx([1.0] * len(gaps[2:]))


def test_who_has_stopped_beats_no_more(beating) -> None:
    leading = beating(0.0, "lead")
    leading.run(3)
    before = len(leading.at_s)
    leading.process.receive(leading.heartbeat.stop)
    assert len(leading.run(5)) == before
