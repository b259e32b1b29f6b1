"""`bdp`: the rule of thumb, one bandwidth-delay product.

    b = C R / 8          Villamizar and Song 1994; ABS paper, section 5

keeps a link busy whose flows all halve their windows at once. R is the harmonic mean of the
flows' round-trip times (Dhamdhere et al. 2005; ABS paper, section 4.2).
"""

from dataclasses import dataclass
from typing import ClassVar

from p4abs.policies.ranges import require_positive
from p4abs.policies.rules.rule import SizingRule


@dataclass(frozen=True, slots=True)
class Bdp(SizingRule):
    """`mean_rtt_s` is R, in seconds."""

    name: ClassVar[str] = "bdp"

    mean_rtt_s: float

    def _check_parameters(self) -> None:
        require_positive(self, "mean_rtt_s")

    @property
    def buffer_bytes(self) -> float:
        """C R / 8."""
        return self._bytes_per_s * self.mean_rtt_s
