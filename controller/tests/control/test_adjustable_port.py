"""A port whose settings change: its capacity stays measured, its series goes on."""

from dataclasses import replace

import pytest
from p4abs.config import Source, load_settings
from p4abs.control import MemoryPool
from p4abs.session.ports import adopt, make_port
from p4abs.snapshot import Snapshot

CAPACITY_BPS = 10_000_000


def settings_of(**port: str):
    tables = {"port": [{"number": 2, "policy": "static", **port}]}
    return load_settings(Source(tables), {}).switch[0]


def saturated(before: Snapshot) -> Snapshot:
    """20 ms later."""
    return replace(
        before,
        timestamp_us=before.timestamp_us + 20_000,
        admitted_bytes=before.admitted_bytes + 25_000,
        departed_bytes=before.departed_bytes + 25_000,
    )


def test_bounds_that_need_the_capacity_come_from_the_measured_one() -> None:
    before, after = settings_of(), settings_of(**{"max-delay": "40ms"})
    control = make_port(before.port[0], 100_000, before.interval)
    snapshot = Snapshot(0, 0, 0, 0, 100_000, 0, 0)
    for _ in range(200):
        control.observe(snapshot := saturated(snapshot), None)
    assert control.measured_capacity_bps == pytest.approx(CAPACITY_BPS, rel=0.01)
    adopt({2: control}, before, after, MemoryPool(None))
    assert control.limit_to_write == control.limit_bytes == pytest.approx(50_000, rel=0.01)
    step = control.observe(saturated(snapshot), None)
    assert step.interval.duration_s == pytest.approx(0.02)
    assert step.interval.idle_s == 0.0
    assert control.limit_bytes == pytest.approx(50_000, rel=0.01)


def test_before_a_capacity_is_known_the_policy_still_waits_for_it() -> None:
    before, after = settings_of(), settings_of(**{"max-limit": "80kB"})
    control = make_port(before.port[0], 100_000, before.interval)
    adopt({2: control}, before, after, MemoryPool(None))
    assert control.limit_bytes == 80_000
    snapshot = Snapshot(0, 0, 0, 0, 80_000, 0, 0)
    for _ in range(200):
        control.observe(snapshot := saturated(snapshot), None)
    assert control.measured_capacity_bps == pytest.approx(CAPACITY_BPS, rel=0.01)
    assert control.limit_bytes == 80_000


def test_what_does_not_concern_the_policy_leaves_it_what_it_knows() -> None:
    before = settings_of(policy="abs", capacity="10Mbit")
    after = settings_of(policy="abs", capacity="10Mbit", **{"safe-limit": "90kB"})
    changed, other = (make_port(before.port[0], 100_000, before.interval) for _ in range(2))
    snapshot = Snapshot(0, 0, 0, 0, 100_000, 0, 0)
    for tick in range(400):
        snapshot = saturated(snapshot)
        if tick % 7 == 0:
            snapshot = replace(snapshot, dropped_bytes=snapshot.dropped_bytes + 9_000)
        for control in (changed, other):
            control.observe(snapshot, None)
        if tick == 200:
            adopt({2: changed}, before, after, MemoryPool(None))
        assert changed.limit_bytes == other.limit_bytes
    assert other.limit_bytes != 100_000
