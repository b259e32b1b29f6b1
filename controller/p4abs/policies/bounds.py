"""The range that a port's queue limit must not leave, whatever a law asks for."""

import math
from dataclasses import dataclass
from typing import Self

from p4abs.columns import Columns, Floats, Ints, any_of, between, choose, greatest, rounded
from p4abs.policies.policy import (
    BINDINGS,
    Binding,
    InvalidParameter,
    InvalidTarget,
    Targets,
    number_of,
)

_MIN_LIMIT, _MAX_LIMIT = number_of(Binding.MIN_LIMIT), number_of(Binding.MAX_LIMIT)
_MAX_DELAY = number_of(Binding.MAX_DELAY)


@dataclass(frozen=True, slots=True, eq=False)
class Bounds(Columns):
    """Lowest and highest limit in bytes, and which target sets the highest, by its number."""

    lowest_bytes: Ints
    highest_bytes: Ints
    ceiling: Ints

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
            return cls(lowest, highest, _MAX_LIMIT)
        delay_cap = int(capacity_bps * targets.max_delay_s / 8)
        if delay_cap < lowest:
            raise InvalidTarget(
                f"target max_delay={targets.max_delay_s} s: a queue of {delay_cap} bytes at "
                f"{capacity_bps:g} bit/s, below min_limit={lowest} bytes"
            )
        if delay_cap >= highest:
            return cls(lowest, highest, _MAX_LIMIT)
        return cls(lowest, delay_cap, _MAX_DELAY)

    def tightened(self, limit_bytes: Ints, memory_left_bytes: Ints | None) -> "Bounds":
        """These bounds under b(n) <= b(n-1) + M(n); the lowest limit is always granted."""
        if memory_left_bytes is None:
            return self
        granted_bytes = limit_bytes + memory_left_bytes
        tight = granted_bytes < self.highest_bytes
        if not any_of(tight):
            return self
        highest_bytes = greatest(granted_bytes, self.lowest_bytes)
        return Bounds(
            self.lowest_bytes,
            choose(tight, highest_bytes, self.highest_bytes),
            choose(tight, _MAX_LIMIT, self.ceiling),
        )

    def clamp(self, limit_bytes: Floats) -> Floats:
        """The nearest value within the bounds."""
        return between(limit_bytes, self.lowest_bytes, self.highest_bytes)

    def limited(self, wanted_bytes: Floats, binding: Ints) -> tuple[Ints, Ints]:
        """The whole number of bytes to apply, and the bound that binds, or else `binding`."""
        limit_bytes = rounded(self.clamp(wanted_bytes))
        binding = choose(limit_bytes == self.lowest_bytes, _MIN_LIMIT, binding)
        return limit_bytes, choose(limit_bytes == self.highest_bytes, self.ceiling, binding)

    def applied(self, wanted_bytes: float, binding: Binding) -> tuple[int, Binding]:
        """`limited`, for a port alone."""
        limit_bytes, number = self.limited(wanted_bytes, number_of(binding))
        return limit_bytes, BINDINGS[number]
