"""The controller's policies that set the limits of a scenario's links."""

from typing import Any

from p4abs.measurements import Interval
from p4abs.policies import Policy, Targets, create
from p4abs.policies.abs import Abs
from p4abs.policies.rules.rule import SizingRule
from p4abs.policies.static import Static

from p4abs_experiments.network.links import Link, Sizing
from p4abs_experiments.network.scenario import Scenario
from p4abs_experiments.network.varied_law import VariedLaw

_NOTHING_HAPPENED = Interval(1.0, 0, 0, 0)


def policy_of(sizing: Sizing, capacity_bps: int, *, is_queue: bool = False) -> Policy[Any]:
    """The policy that sets the limit of a link or of one of its queues. Raises PolicyError."""
    targets = Targets(
        sizing.utilization,
        sizing.loss,
        sizing.max_delay_s,
        sizing.min_limit_bytes,
        sizing.max_limit_bytes,
        shares_link=is_queue,
    )
    policy = create(sizing.policy, capacity_bps, targets, **sizing.parameters)
    if sizing.variation and isinstance(policy, Abs):
        return VariedLaw(policy, sizing.variation)
    return policy


def fixed_limit_bytes(link: Link) -> int | None:
    """The limit of a link that keeps one from beginning to end.

    None when a policy adapts it, or where there is none to set. Raises PolicyError.
    """
    if link.sizing is None or link.sizing.memory:
        return None
    created = policy_of(link.sizing, link.told_capacity_bps)
    if not (isinstance(created, Static) or (isinstance(created, SizingRule) and created.is_fixed)):
        return None
    policy: Policy[Any] = created
    _, decision = policy.step(policy.start(link.sizing.initial_limit_bytes), _NOTHING_HAPPENED)
    return decision.limit_bytes


def adaptive_policies(scenario: Scenario) -> list[type[Policy[Any]]]:
    """The classes of the policies that move a limit while the simulation runs, by name.

    Raises PolicyError.
    """
    adaptive = {
        type(policy_of(link.sizing, link.told_capacity_bps))
        for link in scenario.links
        if link.sizing is not None and fixed_limit_bytes(link) is None
    }
    return sorted(adaptive, key=lambda policy: policy.name)
