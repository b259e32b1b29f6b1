"""A policy that is made for a measured capacity, and what people are told of capacities."""

from dataclasses import replace

import pytest
from p4abs.config import PortSettings
from p4abs.control import PortControl
from p4abs.measurements import Snapshot
from p4abs.session.ports.limits import PortLimits

TICK_US = 20_000
START = Snapshot(0, 0, 0, 0, 0, 0, 0)


def undeclared(limit_bytes: int = 0, **keys: str | int) -> PortControl:
    settings = PortSettings.model_validate({"number": 2, **keys})
    return PortControl(2, None, None, limit_bytes, sizing=PortLimits(settings))


def declared(measures_idle: bool = True) -> PortControl:
    settings = PortSettings.model_validate({"number": 2, "capacity": "10Mbit"})
    policy = settings.make_policy(10_000_000)
    return PortControl(2, 10_000_000, policy, 50_000, measures_idle=measures_idle)


def saturate(port: PortControl, snapshot: Snapshot, capacity_bps: float, ticks: int):
    """Lets the port send at its capacity; the last snapshot and all steps."""
    steps = []
    for _ in range(ticks):
        sent_bytes = round(capacity_bps * TICK_US / 8e6)
        steps.append(port.decide(snapshot, None))
        snapshot = replace(
            snapshot,
            timestamp_us=snapshot.timestamp_us + TICK_US,
            admitted_bytes=snapshot.admitted_bytes + sent_bytes,
            departed_bytes=snapshot.departed_bytes + sent_bytes,
            limit_bytes=port.limit_bytes,
        )
    return snapshot, [step for step in steps if step is not None]


def test_the_limit_stays_until_the_capacity_is_known() -> None:
    port = undeclared(policy="static")
    _, steps = saturate(port, START, 10e6, 100)
    limits = [step.decision.limit_bytes for step in steps]
    first = limits.index(312_500)
    assert limits == [0] * first + [312_500] * (len(limits) - first)
    assert 0 < first < 50
    assert steps[0].interval.idle_s is None
    assert steps[-1].interval.idle_s == 0
    assert port.take_notices() == ["capacity measured: 10Mbit"]
    assert port.take_notices() == []


def test_the_limit_in_force_is_kept_within_bounds_of_the_measured_capacity() -> None:
    kept = undeclared(70_000, policy="static")
    saturate(kept, START, 10e6, 50)
    assert kept.limit_bytes == 70_000
    capped = undeclared(70_000, policy="static", **{"max-delay": "20ms"})
    saturate(capped, START, 10e6, 50)
    assert capped.limit_bytes == 25_000


@pytest.mark.parametrize("before_bps", [5e6, 20e6])
def test_bounds_follow_a_capacity_that_changes_in_flight(before_bps) -> None:
    port = undeclared(70_000, policy="delay-cap", **{"max-delay": "20ms"})
    snapshot, _ = saturate(port, START, before_bps, 200)
    assert port.limit_bytes == round(before_bps * 0.02 / 8)
    saturate(port, snapshot, 10e6, 200)
    assert port.limit_bytes == 25_000


def test_a_link_too_slow_for_its_delay_gets_the_lowest_limit() -> None:
    port = undeclared(70_000, **{"max-delay": "1ms", "min-limit": "3028B"})
    saturate(port, START, 10e6, 200)
    assert port.limit_bytes in (3028, 3029)


@pytest.mark.parametrize(
    ("real_bps", "said"),
    [
        (10.05e6, []),
        (9.5e6, ["capacity declared 10Mbit, measured 9.5Mbit (-5.0%)"]),
        (10.2e6, ["capacity declared 10Mbit, measured 10.2Mbit (+2.0%)"]),
    ],
)
def test_a_declared_capacity_that_is_wrong_is_said_once(real_bps, said) -> None:
    port = declared()
    snapshot, _ = saturate(port, START, real_bps, 200)
    assert port.take_notices() == said
    saturate(port, snapshot, 0.9 * real_bps, 200)
    assert len(port.take_notices()) == 1 - len(said)


def test_idle_time_is_reckoned_with_the_measured_capacity() -> None:
    port = declared()
    snapshot, _ = saturate(port, START, 5e6, 100)
    assert port.capacity_bps == port.measured_capacity_bps == 5_000_000
    port.decide(snapshot, None)
    idle = replace(
        snapshot,
        timestamp_us=snapshot.timestamp_us + TICK_US,
        unsaturated_us=TICK_US,
        unsaturated_bytes=6_250,
    )
    assert port.decide(idle, None).interval.idle_s == pytest.approx(0.01)


def test_a_switch_that_does_not_measure_idle_time_is_said_once() -> None:
    port = declared()
    snapshot, steps = saturate(port, Snapshot(0, 0, 0, 0, 0), 5e6, 100)
    assert len(port.take_notices()) == 1
    assert steps[-1].interval.utilization(10e6) == pytest.approx(0.5)
    saturate(port, snapshot, 5e6, 100)
    assert port.take_notices() == []


def test_utilization_from_departures_asks_for_no_idle_time() -> None:
    port = declared(measures_idle=False)
    _, steps = saturate(port, START, 5e6, 100)
    assert port.measured_capacity_bps is None
    assert port.take_notices() == []
    assert steps[-1].interval.idle_s is None
    assert steps[-1].interval.utilization(10e6) == pytest.approx(0.5)
