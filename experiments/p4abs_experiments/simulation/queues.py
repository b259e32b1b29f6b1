"""The policy of one of several queues of a link."""

from typing import Any

from p4abs.policies import Policy

from p4abs_experiments.network.links import Sizing
from p4abs_experiments.network.policies import policy_of


class QueueSizing:
    """Makes the policy for the rate that the link leaves to the queue, once that is measured."""

    def __init__(self, sizing: Sizing) -> None:
        self._sizing = sizing

    def make_policy(self, capacity_bps: int) -> Policy[Any]:
        return policy_of(self._sizing, capacity_bps, is_queue=True)

    def first_limit(self, limit_bytes: int, capacity_bps: int) -> int:
        return limit_bytes
