"""The published law against steps computed by hand."""

import pytest
from p4abs.measurements import Interval
from p4abs.policies import Binding, Targets
from p4abs.policies.abs_paper import AbsPaper, AbsPaperAbs

TARGETS = Targets(0.98, 0.02, None, 600, 6_000_000)
CAPACITY_BPS = 16e6  # 40 000 bytes in 20 ms
FIRST = Interval(0.02, admitted_bytes=38_000, dropped_bytes=0, departed_bytes=38_000)  # u = 0.95
SECOND = Interval(0.02, admitted_bytes=37_600, dropped_bytes=2_400, departed_bytes=1)  # u = 1.00


def test_the_first_interval_moves_only_the_loss_integrator() -> None:
    policy = AbsPaper(CAPACITY_BPS, TARGETS)
    state, decision = policy.step(policy.start(60_000), FIRST)
    assert state.utilization_packets == 100
    assert state.loss_gain == pytest.approx(3000 - 0.02 * 0.02)
    assert state.loss_packets == pytest.approx(100 - 2999.9996 * 0.02 * 0.02)
    assert decision.binding is Binding.UTILIZATION
    assert decision.limit_bytes == 60_000


@pytest.mark.parametrize("policy_class", [AbsPaper, AbsPaperAbs])
def test_a_rising_load_follows_equations_6_8_9_15_16(policy_class: type[AbsPaper]) -> None:
    policy = policy_class(CAPACITY_BPS, TARGETS)
    state, _ = policy.step(policy.start(60_000), FIRST)
    state, decision = policy.step(state, SECOND)
    # (u - u')(u - u*) = 0.05 * 0.02 = 0.001; p - p* = 0.06 - 0.02 = 0.04
    utilization_gain = 3000 - 0.02 * 0.001
    loss_gain = 3000 - 0.02 * 0.02 + 0.02 * 0.04
    loss_packets = 100 - (3000 - 0.02 * 0.02) * 0.02 * 0.02 + loss_gain * 0.02 * 0.04
    assert state.utilization_gain == pytest.approx(utilization_gain)
    assert state.loss_gain == pytest.approx(loss_gain)
    assert state.utilization_packets == pytest.approx(100 - utilization_gain * 0.02 * 0.001)
    assert state.loss_packets == pytest.approx(loss_packets)
    assert decision.binding is Binding.LOSS
    assert decision.limit_bytes == round(600 * loss_packets)


def test_under_a_falling_load_only_the_variants_differ() -> None:
    falling = Interval(0.02, admitted_bytes=36_000, dropped_bytes=0, departed_bytes=1)  # u = 0.90
    moved = {}
    for policy in (AbsPaper(CAPACITY_BPS, TARGETS), AbsPaperAbs(CAPACITY_BPS, TARGETS)):
        state, _ = policy.step(policy.start(60_000), FIRST)
        state, _ = policy.step(state, falling)
        moved[policy.name] = state.utilization_packets - 100
    # (u - u')(u - u*) = (-0.05)(-0.08): (8) shrinks a starved link's buffer, |.| makes it grow.
    assert moved["abs-paper"] == pytest.approx(-3000 * 0.02 * 0.004, rel=1e-4)
    assert moved["abs-paper-abs"] == pytest.approx(3000 * 0.02 * 0.004, rel=1e-4)


def test_a_step_size_of_zero_leaves_the_gains_alone() -> None:
    policy = AbsPaper(CAPACITY_BPS, TARGETS, step_size=0)
    state, _ = policy.step(policy.start(60_000), FIRST)
    _, decision = policy.step(state, SECOND)
    assert decision.gains == {"utilization": 3000, "loss": 3000}
