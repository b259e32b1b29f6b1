"""The range that a port's queue limit must not leave, whatever a law asks for."""

import math
from dataclasses import dataclass, replace
from typing import Self

from p4abs.columns import (
    Columns,
    Flags,
    Floats,
    Ints,
    any_of,
    between,
    choose,
    maximum,
    minimum,
    rounded,
)
from p4abs.policies.policy import (
    BINDINGS,
    UNBOUNDED_STEP,
    Binding,
    InvalidParameter,
    InvalidTarget,
    Targets,
    number_of,
)

_MIN_LIMIT, _MAX_LIMIT = number_of(Binding.MIN_LIMIT), number_of(Binding.MAX_LIMIT)
_MAX_DELAY, _MAX_STEP = number_of(Binding.MAX_DELAY), number_of(Binding.MAX_STEP)
_MEMORY = number_of(Binding.MEMORY)


@dataclass(frozen=True, slots=True, eq=False)
class Bounds(Columns):
    """Lowest and highest limit in bytes, and what sets them: numbers of BINDINGS.

    One interval changes the limit by no more than `step_bytes` and `step_share` of it, added up.
    """

    lowest_bytes: Ints
    highest_bytes: Ints
    ceiling: Ints
    floor: Ints = _MIN_LIMIT
    step_bytes: Ints = UNBOUNDED_STEP.size_bytes
    step_share: Floats = UNBOUNDED_STEP.share

    @classmethod
    def of(cls, capacity_bps: float, targets: Targets) -> Self:
        """Bounds from the limits and the delay cap b <= C max_delay (section 3.2, type B).

        Raises InvalidParameter for a capacity that is not positive, InvalidTarget when the
        delay cap leaves no room above the lowest limit.
        """
        if not (capacity_bps > 0 and math.isfinite(capacity_bps)):
            raise InvalidParameter(f"capacity={capacity_bps} bit/s: must be positive and finite")
        lowest, highest = targets.min_limit_bytes, targets.highest_bytes(capacity_bps)
        if highest < lowest:
            raise InvalidTarget(
                f"target max_delay={targets.max_delay_s} s: a queue of {highest} bytes at "
                f"{capacity_bps:g} bit/s; must be at least min_limit={lowest} bytes"
            )
        is_delay = highest < targets.max_limit_bytes
        ceiling = _MAX_DELAY if is_delay else number_of(targets.ceiling)
        step = targets.max_step.size_bytes, targets.max_step.share
        return cls(lowest, highest, ceiling, number_of(targets.floor), *step)

    def begun(self, limit_bytes: Ints) -> Ints:
        """The limit to start from, brought within the bounds.

        If steps are bounded, it stays as it is, and the steps bring it within the bounds.
        """
        as_it_is = maximum(limit_bytes, 1)
        return rounded(choose(self._is_stepwise, as_it_is, self.clamp(limit_bytes)))

    def tightened(self, limit_bytes: Ints, memory_left_bytes: Ints | None) -> "Bounds":
        """These bounds after the limit b(n-1): one step from it, and b(n) <= b(n-1) + M(n).

        The lowest limit is always granted. Memory that others need is given back at once, whatever
        the size of a step.
        """
        near = self._one_step_from(limit_bytes)
        if memory_left_bytes is None:
            return near
        granted_bytes = limit_bytes + memory_left_bytes
        tight = granted_bytes < near.highest_bytes
        if not any_of(tight):
            return near
        highest_bytes = choose(tight, maximum(granted_bytes, self.lowest_bytes), near.highest_bytes)
        return replace(
            near,
            lowest_bytes=minimum(near.lowest_bytes, highest_bytes),
            highest_bytes=highest_bytes,
            ceiling=choose(tight, _MEMORY, near.ceiling),
        )

    @property
    def _is_stepwise(self) -> Flags:
        return self.step_bytes < UNBOUNDED_STEP.size_bytes

    def _one_step_from(self, limit_bytes: Ints) -> "Bounds":
        if not any_of(self._is_stepwise):
            return self
        step_bytes = maximum(rounded(self.step_bytes + self.step_share * limit_bytes), 1)
        nearest = limit_bytes - step_bytes, limit_bytes + step_bytes
        lowest_bytes = between(self.lowest_bytes, *nearest)
        highest_bytes = between(self.highest_bytes, *nearest)
        return replace(
            self,
            lowest_bytes=lowest_bytes,
            highest_bytes=highest_bytes,
            ceiling=choose(highest_bytes == self.highest_bytes, self.ceiling, _MAX_STEP),
            floor=choose(lowest_bytes == self.lowest_bytes, self.floor, _MAX_STEP),
        )

    def clamp(self, limit_bytes: Floats) -> Floats:
        """The nearest value within the bounds."""
        return between(limit_bytes, self.lowest_bytes, self.highest_bytes)

    def limited(self, wanted_bytes: Floats, binding: Ints) -> tuple[Ints, Ints]:
        """The whole number of bytes to apply, and the bound that binds, or else `binding`."""
        limit_bytes = rounded(self.clamp(wanted_bytes))
        binding = choose(limit_bytes == self.lowest_bytes, self.floor, binding)
        return limit_bytes, choose(limit_bytes == self.highest_bytes, self.ceiling, binding)

    def applied(self, wanted_bytes: float, binding: Binding) -> tuple[int, Binding]:
        """`limited`, for a port alone."""
        limit_bytes, number = self.limited(wanted_bytes, number_of(binding))
        return limit_bytes, BINDINGS[number]
