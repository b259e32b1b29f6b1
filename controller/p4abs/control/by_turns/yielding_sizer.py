"""A port's policy at work, whose limit falls where others get its memory."""

from typing import Any

from p4abs.control.sizer import Sizer
from p4abs.interval import Interval
from p4abs.policies import Decision, Policy


class YieldingSizer(Sizer):
    """A `Sizer` that is told by negative memory how much of it has to be given back."""

    _asked: tuple[Policy[Any] | None, Any, Interval]

    def learn_capacity(self, capacity_bps: int, memory_left_bytes: int | None) -> None:
        """See `Sizer`; what has to be given back is so once, by the step."""
        if memory_left_bytes is not None:
            memory_left_bytes = max(0, memory_left_bytes)
        super().learn_capacity(capacity_bps, memory_left_bytes)

    def step(self, interval: Interval, memory_left_bytes: int | None) -> Decision:
        """See `Sizer`; without a policy, too, the limit falls."""
        self._asked = self._policy, self._state, interval
        if self._policy is None and memory_left_bytes is not None:
            self.limit_bytes += min(0, memory_left_bytes)
        return super().step(interval, memory_left_bytes)

    def wanted_bytes(self) -> int:
        """The limit that the last step would have led to, had there been memory enough."""
        policy, state, interval = self._asked
        if policy is None:
            return self.limit_bytes
        decision: Decision = policy.step(state, interval, None)[1]
        return decision.limit_bytes
