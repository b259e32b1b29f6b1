"""Exceptions that nobody expected, at one switch and among those who watch. In virtual time."""

import json
from itertools import pairwise

import pytest
from p4abs.cli.fleet_run import reload
from p4abs.service.log import LogFormat, line_of
from p4abs.session import SwitchState
from p4abs.telemetry import Watcher

INTERVAL_S = 0.02
INITIAL_LIMIT, SAFE_LIMIT = 60_000, 200_000  # see conftest.py


class Broken(Watcher):
    """Raises, whatever it is told."""

    def announce(self, message) -> None:
        raise LookupError("announce")

    def sampled(self, switch, samples) -> None:
        raise LookupError("sampled")

    def tick(self, switch) -> None:
        raise LookupError("tick")

    def follow(self, switches) -> None:
        raise LookupError("follow")


def longest_gap_s(run, name: str) -> float:
    return max(later - earlier for earlier, later in pairwise(run.ticks.at_s[name]))


@pytest.fixture
def pair(world):
    for name in ("well", "ill"):
        world.add(name)
    return world


async def test_an_exception_at_a_switch_costs_it_some_intervals_and_no_other_switch_any(
    pair,
) -> None:
    async def fail_once(run) -> None:
        pair.switches["ill"].raises = [KeyError("x")]

    run = await pair.run(4.0, fail_once)
    assert run.failures == {}
    assert longest_gap_s(run, "well") == pytest.approx(INTERVAL_S)
    assert longest_gap_s(run, "ill") < 5 * INTERVAL_S
    assert set(pair.switches["ill"].written[1][:-1]) == {INITIAL_LIMIT}
    assert pair.switches["ill"].limits[1] == SAFE_LIMIT
    [line] = [line for line in run.ticks.lines if "defect" in line]
    assert line.startswith("ill: defect in p4abs: KeyError: 'x' (")
    assert "loop.py" in line
    assert "keeps the limits port 1" in line


async def test_what_the_loop_has_counted_goes_on_after_a_defect(pair) -> None:
    async def fail_once(run) -> None:
        pair.switches["ill"].raises = [KeyError("x")]

    run = await pair.run(4.0, fail_once)
    assert run.statistics("ill").ticks > 190


async def test_a_defect_that_comes_back_leaves_safe_limits_and_is_tried_less_and_less_often(
    pair,
) -> None:
    async def fail(run) -> None:
        pair.switches["ill"].raises = [ZeroDivisionError("always")] * 10**6

    run = await pair.run(30.0, fail)
    assert longest_gap_s(run, "well") == pytest.approx(INTERVAL_S)
    assert 3 < pair.switches["ill"].connections < 9
    said = [line for line in run.ticks.lines if "ZeroDivisionError" in line]
    assert len(said) == pair.switches["ill"].connections
    assert run.failures.keys() == {"ill"}
    assert [gap for gap in ("at once", "in 0.5 s", "in 4 s") if any(gap in x for x in said)]
    assert pair.switches["ill"].limits[1] == INITIAL_LIMIT


async def test_a_defect_that_passes_is_forgotten(pair) -> None:
    async def fail_for_a_while(run) -> None:
        pair.switches["ill"].raises = [ZeroDivisionError("for a while")] * 3

    run = await pair.run(20.0, fail_for_a_while)
    assert run.failures == {}
    assert run.fleet.switches["ill"].controller.state is SwitchState.STOPPED
    assert run.ticks.at_s["ill"][-1] > pair.clock.time_s - 12
    assert pair.switches["ill"].limits[1] == SAFE_LIMIT


async def test_who_watches_and_fails_ends_no_control_and_is_said_once(pair) -> None:
    async def watch(run) -> None:
        run.fleet.watchers.insert(0, Broken())

    run = await pair.run(4.0, watch)
    assert run.failures == {}
    for name in ("well", "ill"):
        assert longest_gap_s(run, name) == pytest.approx(INTERVAL_S)
    said = [line for line in run.ticks.lines if "LookupError" in line]
    assert len(said) == 3
    assert all("control goes on" in line for line in said)


async def test_an_exception_in_a_reload_leaves_all_under_control(pair) -> None:
    def load():
        raise AttributeError("load")

    run = await pair.run(4.0, lambda run: reload(run.of, load))
    assert run.failures == {}
    assert longest_gap_s(run, "well") == pytest.approx(INTERVAL_S)
    assert any("configuration not taken over: defect in p4abs: Attri" in x for x in run.ticks.lines)


async def test_the_log_of_a_defect_holds_its_traceback(pair) -> None:
    async def fail_once(run) -> None:
        pair.switches["ill"].raises = [KeyError("x")]

    run = await pair.run(4.0, fail_once)
    [message] = [message for message in run.ticks.messages if "defect" in message.text]
    assert "\n" not in line_of(message, LogFormat.TEXT)
    logged = json.loads(line_of(message, LogFormat.JSON))
    assert logged["traceback"].startswith("Traceback (most recent call last)")
    assert "KeyError: 'x'" in logged["traceback"]
