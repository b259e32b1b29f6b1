"""`bdp`: the rule of thumb, one bandwidth-delay product.

    b = C R / 8          Villamizar and Song 1994; ABS paper, section 5

This buffer keeps a link busy even if all flows halve their windows at once. R is the harmonic mean
of the flows' round-trip times (Dhamdhere et al. 2005; ABS paper, section 4.2).
"""

from dataclasses import dataclass, field
from typing import ClassVar

from p4abs.policies.rules.rule import MeasuringRule


@dataclass(frozen=True, slots=True)
class Bdp(MeasuringRule):
    """`mean_rtt_s` is R, in seconds."""

    name: ClassVar[str] = "bdp"

    mean_rtt_s: float | None = field(default=None, kw_only=True)

    def _check_parameters(self) -> None:
        pass

    def buffer_for(self, n_flows: float, mean_rtt_s: float) -> float:
        """C R / 8."""
        return self._bytes_per_s * mean_rtt_s
