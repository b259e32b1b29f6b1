"""Runs a port's policy, which is made once the capacity is known."""

from typing import Any, Protocol

from p4abs.columns import Flags, Floats
from p4abs.measurements import Interval
from p4abs.policies import Binding, Decision, Policy

# A measured capacity replaces another one only if they differ by more than this share.
CAPACITY_TOLERANCE = 0.01


class Sizing(Protocol):
    """What makes the policy of a port whose capacity is measured, not declared."""

    def make_policy(self, capacity_bps: int) -> Policy[Any]:
        """The policy for this capacity."""

    def first_limit(self, limit_bytes: int, capacity_bps: int) -> int:
        """The limit to start from, where `limit_bytes` is in force (0: none)."""


class Sizer:
    """Holds the policy's state and the limit that the port should have.

    Without a policy, the limit stays until `sizing` makes a policy for the measured capacity. When
    that capacity changes, a new policy takes over the state of the old one.
    """

    def __init__(
        self, policy: Policy[Any] | None, limit_bytes: int, sizing: Sizing | None = None
    ) -> None:
        self._policy = policy
        self._sizing = sizing
        self._sized_for_bps = 0
        self.begin_at(limit_bytes)

    def begin_at(self, limit_bytes: int) -> None:
        """Begins, or begins anew, at this limit."""
        self.limit_bytes = limit_bytes
        self._state = None if self._policy is None else self._policy.start(limit_bytes)

    def learn_capacity(self, capacity_bps: int) -> None:
        """Takes the measured capacity. With `sizing`, the policy is made for it."""
        if self._sizing is None or is_near(self._sized_for_bps, capacity_bps):
            return
        self._sized_for_bps = capacity_bps
        begins = self._policy is None
        self._policy = self._sizing.make_policy(capacity_bps)
        if begins:
            limit_bytes = self._sizing.first_limit(self.limit_bytes, capacity_bps)
            self._state = self._policy.start(limit_bytes)

    def step(self, interval: Interval, memory_left_bytes: int | None) -> Decision:
        """The decision after an interval; it is also the new `limit_bytes`."""
        if self._policy is None:
            return self.wait()
        self._state, decision = self._policy.step(self._state, interval, memory_left_bytes)
        self.limit_bytes = decision.limit_bytes
        return decision

    def wait(self) -> Decision:
        """The limit stays, and the policy learns nothing."""
        return Decision(self.limit_bytes, Binding.FIXED, {})


def is_near(one_bps: Floats, other_bps: Floats) -> Flags:
    """Whether two capacities differ by no more than 1 %; no capacity (NaN) is near."""
    return abs(one_bps - other_bps) <= CAPACITY_TOLERANCE * other_bps
