"""Each phase is disturbed once, before its measured part, and whatever happens it is undone."""

import os
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from p4abs_demonstration.disturbance import Disturbance, Disturber, choose, disturber
from p4abs_demonstration.dumbbell import Dumbbell, FarEnd, LinkNotSwitched
from p4abs_demonstration.measure.phases import disturbance_begin_s, schedule
from p4abs_demonstration.settings import (
    DISTURBANCE_LENGTHS_S,
    DISTURBED_DURATION_MIN_LENGTHS,
    Settings,
)
from p4abs_demonstration.traffic import Traffic
from p4abs_switch.testbed.process import RunningProcess, start_here


class Recorder:
    """A disturbance that only says when it begins and ends."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.begun_s: list[float] = []
        self.ended_s: list[float] = []

    def disturbance(self) -> Disturbance:
        return Disturbance(
            lambda: self.begun_s.append(self.now_s), lambda: self.ended_s.append(self.now_s)
        )


def play(recorder: Recorder, disturbs: Disturber, duration_s: float, longest_tick_s: float) -> None:
    """Follows a schedule as the demonstration does."""
    for phase in schedule(duration_s, "abs"):
        while recorder.now_s < phase.end_s:
            due_s = disturbs.follow(recorder.now_s, phase)
            recorder.now_s = min(due_s, recorder.now_s + longest_tick_s, phase.end_s)


@pytest.mark.parametrize("length_s", DISTURBANCE_LENGTHS_S.values())
def test_the_shortest_duration_leaves_each_phase_its_transient(length_s: float) -> None:
    for phase in schedule(DISTURBED_DURATION_MIN_LENGTHS * length_s, "abs"):
        assert phase.begin_s <= disturbance_begin_s(phase, length_s) + 1e-9
        assert disturbance_begin_s(phase, length_s) + length_s < phase.start_s


@pytest.mark.parametrize("tick_s", [0.01, 0.25])
def test_each_phase_is_disturbed_once_at_its_instant_and_for_its_length(tick_s: float) -> None:
    recorder = Recorder()
    play(recorder, Disturber(recorder.disturbance(), 1.0), 100, tick_s)
    instants_s = [disturbance_begin_s(phase, 1.0) for phase in schedule(100, "abs")]
    assert recorder.begun_s == pytest.approx(instants_s)
    assert recorder.ended_s == pytest.approx([begin_s + 1 for begin_s in instants_s])


def test_a_late_demonstration_still_disturbs_for_the_whole_length() -> None:
    recorder = Recorder()
    (phase, *_) = schedule(100, "abs")
    recorder.now_s = disturbance_begin_s(phase, 1.0) + 0.7
    due_s = Disturber(recorder.disturbance(), 1.0).follow(recorder.now_s, phase)
    assert due_s == pytest.approx(recorder.now_s + 1)


def test_without_a_disturbance_nothing_happens() -> None:
    recorder = Recorder()
    play(recorder, Disturber(recorder.disturbance(), 0.0), 20, 0.25)
    assert recorder.begun_s == []


def test_a_disturbance_that_lasts_is_undone_at_the_end() -> None:
    recorder = Recorder()
    (phase, *_) = schedule(100, "abs")
    with disturber(recorder.disturbance(), 1.0) as disturbs:
        disturbs.follow(disturbance_begin_s(phase, 1.0), phase)
        assert recorder.ended_s == []
    assert len(recorder.begun_s) == len(recorder.ended_s) == 1


def state(process: RunningProcess) -> str:
    """Of a process, as proc(5) names it: T is stopped."""
    return Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0]


@pytest.mark.parametrize("disturb", ["stall", "pause"])
def test_processes_are_stopped_and_go_on(tmp_path: Path, disturb: str) -> None:
    process = RunningProcess("sleep", ["sleep", "60"], tmp_path / "log", start_here)
    traffic = cast(Traffic, SimpleNamespace(senders=lambda: [process]))
    settings = cast(Settings, SimpleNamespace(disturb=disturb))
    disturbance = choose(settings, cast(Dumbbell, None), process, traffic)
    try:
        disturbance.begin()
        process.wait_until(lambda: state(process) == "T", "stopped")
        disturbance.end()
        process.wait_until(lambda: state(process) != "T", "gone on")
    finally:
        process.kill()


def test_a_link_that_cannot_be_switched_ends_the_demonstration_with_the_reason() -> None:
    far_end = FarEnd(os.getpid(), "no-such-link")
    dumbbell = cast(Dumbbell, SimpleNamespace(far_end=far_end))
    settings = cast(Settings, SimpleNamespace(disturb="flap"))
    traffic = cast(Traffic, SimpleNamespace(senders=None))
    disturbance = choose(settings, dumbbell, cast(RunningProcess, None), traffic)
    with pytest.raises(LinkNotSwitched, match=r"cannot be switched down: \S"):
        disturbance.begin()
