"""From snapshots to intervals, across wrapping counters, idle ports and restarts."""

from dataclasses import dataclass, field
from typing import ClassVar

import pytest
from p4abs.control import PortControl
from p4abs.interval import Interval
from p4abs.policies import Binding, Decision
from p4abs.snapshot import Snapshot


@dataclass
class Recorder:
    """A policy that keeps what it is given and always asks for 7000 bytes."""

    name: ClassVar[str] = "recorder"
    intervals: list[Interval] = field(default_factory=list)

    def start(self, limit_bytes: int) -> None:
        return None

    def step(
        self, state: None, interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[None, Decision]:
        self.intervals.append(interval)
        return None, Decision(7000, Binding.FIXED, {})


@pytest.fixture
def policy() -> Recorder:
    return Recorder()


@pytest.fixture
def port(policy: Recorder) -> PortControl:
    return PortControl(2, 10_000_000, policy, 5000)


def test_the_first_snapshot_only_starts_the_series(port, policy) -> None:
    assert port.observe(Snapshot(1000, 10, 20, 30, 5000), None) is None
    assert policy.intervals == []


def test_an_interval_is_the_difference_of_two_snapshots(port, policy) -> None:
    port.observe(Snapshot(1_000, 100, 10, 50, 5000), None)
    step = port.observe(Snapshot(21_000, 700, 40, 350, 5000), None)
    assert policy.intervals == [Interval(0.02, 600, 30, 300)]
    assert step.limit_bytes == 5000
    assert port.limit_bytes == 7000


def test_counters_wrap_at_64_bits(port, policy) -> None:
    top = 2**64
    port.observe(Snapshot(1_000, top - 100, top - 1, top - 50, 5000), None)
    port.observe(Snapshot(21_000, 500, 9, 250, 5000), None)
    assert policy.intervals == [Interval(0.02, 600, 10, 300)]


def test_without_a_departure_the_interval_goes_on(port, policy) -> None:
    port.observe(Snapshot(1_000, 0, 0, 0, 5000), None)
    assert port.observe(Snapshot(1_000, 600, 10, 0, 5000), None) is None
    port.observe(Snapshot(41_000, 900, 20, 300, 5000), None)
    assert policy.intervals == [Interval(0.04, 900, 20, 300)]


def test_a_port_that_was_idle_for_long_starts_a_new_series(port, policy) -> None:
    port.observe(Snapshot(1_000, 0, 0, 0, 5000), None)
    assert port.observe(Snapshot(5_001_000, 900, 0, 900, 5000), None) is None
    port.observe(Snapshot(5_021_000, 1500, 0, 1500, 5000), None)
    assert policy.intervals == [Interval(0.02, 600, 0, 600)]


@pytest.mark.parametrize(
    "after_restart",
    [Snapshot(500, 0, 0, 0, 0), Snapshot(31_000, 50, 0, 20, 0), Snapshot(31_000, 700, 0, 700, 0)],
)
def test_a_data_plane_that_started_anew_starts_a_new_series(port, policy, after_restart) -> None:
    port.observe(Snapshot(1_000, 100, 10, 50, 5000), None)
    assert port.observe(after_restart, None) is None
    assert port.restarts == 1
    assert policy.intervals == []


def test_the_limit_is_written_only_if_the_switch_has_another(port) -> None:
    assert port.limit_to_write == 5000
    port.observe(Snapshot(1_000, 0, 0, 0, 5000), None)
    assert port.limit_to_write is None
    port.observe(Snapshot(21_000, 0, 0, 0, 5000), None)
    assert port.limit_to_write == 7000
    port.forget()
    assert port.limit_to_write == 7000
