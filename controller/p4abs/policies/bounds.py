"""The range that a port's queue limit must not leave, whatever a law asks for."""

import math
from dataclasses import dataclass
from typing import Self

from p4abs.policies.policy import Binding, InvalidParameter, InvalidTarget, Targets


@dataclass(frozen=True, slots=True)
class Bounds:
    """Lowest and highest limit in bytes, and which target sets the highest."""

    lowest_bytes: int
    highest_bytes: int
    ceiling: Binding

    @classmethod
    def of(cls, capacity_bps: float, targets: Targets) -> Self:
        """Bounds from the limits and the delay cap b <= C max_delay (section 3.2, type B).

        Raises InvalidParameter for a capacity that is not positive, InvalidTarget when the
        delay cap leaves no room above the lowest limit.
        """
        if not (capacity_bps > 0 and math.isfinite(capacity_bps)):
            raise InvalidParameter(f"capacity={capacity_bps} bit/s: must be positive and finite")
        lowest, highest = targets.min_limit_bytes, targets.max_limit_bytes
        if targets.max_delay_s is None:
            return cls(lowest, highest, Binding.MAX_LIMIT)
        delay_cap = int(capacity_bps * targets.max_delay_s / 8)
        if delay_cap < lowest:
            raise InvalidTarget(
                f"target max_delay={targets.max_delay_s} s: a queue of {delay_cap} bytes at "
                f"{capacity_bps:g} bit/s, below min_limit={lowest} bytes"
            )
        if delay_cap >= highest:
            return cls(lowest, highest, Binding.MAX_LIMIT)
        return cls(lowest, delay_cap, Binding.MAX_DELAY)

    def tightened(self, limit_bytes: int, memory_left_bytes: int | None) -> "Bounds":
        """These bounds under b(n) <= b(n-1) + M(n); the lowest limit is always granted."""
        if memory_left_bytes is None or limit_bytes + memory_left_bytes >= self.highest_bytes:
            return self
        highest = max(self.lowest_bytes, limit_bytes + memory_left_bytes)
        return Bounds(self.lowest_bytes, highest, Binding.MAX_LIMIT)

    def clamp(self, limit_bytes: float) -> float:
        """The nearest value within the bounds."""
        return min(max(limit_bytes, self.lowest_bytes), self.highest_bytes)

    def applied(self, wanted_bytes: float, binding: Binding) -> tuple[int, Binding]:
        """The whole number of bytes to apply, and the bound that binds, or else `binding`."""
        limit = round(self.clamp(wanted_bytes))
        if limit == self.highest_bytes:
            return limit, self.ceiling
        if limit == self.lowest_bytes:
            return limit, Binding.MIN_LIMIT
        return limit, binding
