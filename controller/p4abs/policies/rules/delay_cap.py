"""`delay-cap`: the longest queue that the port's `max-delay` allows.

    b = C D / 8          ABS paper, section 3.2, type B: D is `max-delay`

It gives the lowest loss that this delay allows. Utilization is not considered. The port must have
`max-delay`.
"""

from dataclasses import dataclass
from typing import ClassVar

from p4abs.policies.policy import InvalidTarget
from p4abs.policies.rules.rule import SizingRule


@dataclass(frozen=True, slots=True)
class DelayCap(SizingRule):
    """Takes D from the targets; has no parameters of its own."""

    name: ClassVar[str] = "delay-cap"

    def _check_parameters(self) -> None:
        if self.targets.max_delay_s is None:
            raise InvalidTarget(f"{self.name}: this policy requires the target max_delay")

    @property
    def buffer_bytes(self) -> float:
        """C D / 8."""
        assert self.targets.max_delay_s is not None
        return self._bytes_per_s * self.targets.max_delay_s
