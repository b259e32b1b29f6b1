"""What one interval may change of a limit, whichever law asks for it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from p4abs.measurements import Interval
from p4abs.policies import POLICIES, Binding, MaxStep, Policy, Targets, create

CAPACITY_BPS = 10e6
MIN_LIMIT, MAX_LIMIT = 3_000, 750_000
TARGETS = Targets(0.98, 0.02, None, MIN_LIMIT, MAX_LIMIT)
LOSING = Interval(0.02, 25_000, 5_000, 25_000, 0.0, 20_000, 60_000)
IDLE = Interval(0.02, 5_000, 0, 5_000, 0.016, 0, 1_500)
MakePolicy = Callable[[str, float, Targets], Policy[Any]]

steps = pytest.mark.parametrize("step", [MaxStep(2_000), MaxStep(0, 0.1)], ids=["bytes", "share"])


def allowed_bytes(step: MaxStep, limit_bytes: int) -> int:
    return max(1, round(step.size_bytes + step.share * limit_bytes))


@steps
@pytest.mark.parametrize("begun_bytes", [1_500, 60_000, 3_000_000])
@pytest.mark.parametrize("name", POLICIES)
def test_a_limit_changes_by_no_more_than_the_step_and_comes_within_its_bounds(
    make_policy: MakePolicy, name: str, begun_bytes: int, step: MaxStep
) -> None:
    policy = make_policy(name, CAPACITY_BPS, replace(TARGETS, max_step=step))
    state, in_force = policy.start(begun_bytes), begun_bytes
    was_within = False
    for interval in [LOSING] * 700 + [IDLE] * 700:
        state, decision = policy.step(state, interval)
        assert abs(decision.limit_bytes - in_force) <= allowed_bytes(step, in_force)
        in_force = decision.limit_bytes
        is_within = MIN_LIMIT <= in_force <= MAX_LIMIT
        assert is_within >= was_within
        was_within = is_within
    if step.share:
        assert was_within


@steps
def test_a_step_is_what_binds_a_limit_that_wants_to_go_further(step: MaxStep) -> None:
    rule = create("delay-cap", CAPACITY_BPS, replace(TARGETS, max_delay_s=0.1, max_step=step))
    state, bindings = rule.start(100_000), []
    for _ in range(20):
        state, decision = rule.step(state, LOSING)
        bindings.append(decision.binding)
    assert bindings[0] is Binding.MAX_STEP
    assert decision.limit_bytes == 125_000
    assert bindings[-1] is Binding.MAX_DELAY


@pytest.mark.parametrize("name", [name for name in POLICIES if name != "static"])
def test_memory_that_others_need_is_given_back_at_once(make_policy: MakePolicy, name: str) -> None:
    policy = make_policy(name, CAPACITY_BPS, replace(TARGETS, max_step=MaxStep(100)))
    decision = policy.step(policy.start(60_000), LOSING, -20_000)[1]
    assert decision.limit_bytes <= 40_000


def test_a_law_does_not_wind_up_while_steps_hold_it_back() -> None:
    """Loss that ends when the limit has reached 40 kB: a law that had run ahead would go on."""
    law = create("abs", CAPACITY_BPS, replace(TARGETS, max_step=MaxStep(500)))
    state, limit_bytes = law.start(20_000), 20_000
    for _ in range(3_000):
        interval = LOSING if limit_bytes < 40_000 else replace(LOSING, dropped_bytes=0)
        state, decision = law.step(state, interval)
        limit_bytes = decision.limit_bytes
    assert limit_bytes < 50_000
