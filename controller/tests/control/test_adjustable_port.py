"""A port whose settings change: its capacity stays measured, its series goes on."""

from dataclasses import replace

import pytest
from p4abs.config import Source, load_settings
from p4abs.control import MemoryPool, Rank, SwitchControl
from p4abs.control.batched import BatchedControl
from p4abs.control.per_port import PerPortControl
from p4abs.control.sample import Steps
from p4abs.measurements import Snapshot
from p4abs.session.ports.controls import adopt, make_port

CAPACITY_BPS = 10_000_000


def settings_of(**port: str | int):
    tables = {"port": [{"number": 2, "policy": "static", **port}]}
    return load_settings(Source(tables), {}).switch[0]


NO_POOL = MemoryPool(None)

both_ways = pytest.mark.parametrize("switch_control", [BatchedControl, PerPortControl])


def observe(control: SwitchControl, snapshot: Snapshot) -> Steps | None:
    return control.decide({2: snapshot}, NO_POOL)


def saturated(before: Snapshot) -> Snapshot:
    """20 ms later."""
    return replace(
        before,
        timestamp_us=before.timestamp_us + 20_000,
        admitted_bytes=before.admitted_bytes + 25_000,
        departed_bytes=before.departed_bytes + 25_000,
    )


@both_ways
def test_bounds_that_need_the_capacity_come_from_the_measured_one(
    switch_control: type[SwitchControl],
) -> None:
    before, after = settings_of(), settings_of(**{"max-delay": "40ms"})
    control = switch_control([make_port(before.port[0], 100_000, before.interval)])
    port = control.port(2)
    snapshot = Snapshot(0, 0, 0, 0, 100_000, 0, 0)
    for _ in range(200):
        observe(control, snapshot := saturated(snapshot))
    assert port.measured_capacity_bps == pytest.approx(CAPACITY_BPS, rel=0.01)
    adopt(control, before, after, NO_POOL)
    assert control.limits_to_write()[2] == port.limit_bytes == pytest.approx(50_000, rel=0.01)
    steps = observe(control, saturated(snapshot))
    (interval,) = steps.intervals.each()
    assert interval.duration_s == pytest.approx(0.02)
    assert interval.idle_s == 0.0
    assert port.limit_bytes == pytest.approx(50_000, rel=0.01)


@both_ways
def test_before_a_capacity_is_known_the_policy_still_waits_for_it(
    switch_control: type[SwitchControl],
) -> None:
    before, after = settings_of(), settings_of(**{"max-limit": "80kB", "max-delay": "40ms"})
    control = switch_control([make_port(before.port[0], 100_000, before.interval)])
    port = control.port(2)
    adopt(control, before, after, NO_POOL)
    assert port.limit_bytes == 80_000
    snapshot = Snapshot(0, 0, 0, 0, 80_000, 0, 0)
    for _ in range(200):
        observe(control, snapshot := saturated(snapshot))
    assert port.measured_capacity_bps == pytest.approx(CAPACITY_BPS, rel=0.01)
    assert port.limit_bytes == pytest.approx(50_000, rel=0.01)


@both_ways
def test_another_priority_is_told_and_the_policy_goes_on(
    switch_control: type[SwitchControl], monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = (settings_of(capacity="10Mbit", priority=number) for number in (0, 3))
    control = switch_control([make_port(before.port[0], 100_000, before.interval)])
    begun, told = [], []
    monkeypatch.setattr(control, "adopt", begun.extend)
    monkeypatch.setattr(control, "rank", told.append)
    adopt(control, before, after, NO_POOL)
    assert (begun, told) == ([], [{2: Rank(3, 3028, is_fixed=True)}])


@both_ways
def test_what_does_not_concern_the_policy_leaves_it_what_it_knows(
    switch_control: type[SwitchControl],
) -> None:
    before = settings_of(policy="abs", capacity="10Mbit")
    after = settings_of(policy="abs", capacity="10Mbit", **{"safe-limit": "90kB"})
    changed, other = (
        switch_control([make_port(before.port[0], 100_000, before.interval)]) for _ in range(2)
    )
    snapshot = Snapshot(0, 0, 0, 0, 100_000, 0, 0)
    for tick in range(400):
        snapshot = saturated(snapshot)
        if tick % 7 == 0:
            snapshot = replace(snapshot, dropped_bytes=snapshot.dropped_bytes + 9_000)
        for control in (changed, other):
            observe(control, snapshot)
        if tick == 200:
            adopt(changed, before, after, NO_POOL)
        assert changed.port(2).limit_bytes == other.port(2).limit_bytes
    assert other.port(2).limit_bytes != 100_000
