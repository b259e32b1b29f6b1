"""The static optimum: the smallest fixed limit that meets both targets.

Loss falls and utilization rises with the limit (seed 000, section 2). The search works on the
logarithm of the limit b and of the missed fraction of either target,

    e(b) = max(ln(p / p*), ln((1 - u) / (1 - u*))),   u and p over all seeds together,

which is near to straight, so that few runs find its zero. All limits are tried with the same
seeds, so that the noise of one limit is that of the next.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from p4abs_experiments.cell import Cell
from p4abs_experiments.network import InvalidScenario, Scenario, Sizing
from p4abs_experiments.result import CellResult

RESOLUTION = 1.03
"""The search ends when limits this far apart enclose the optimum."""

EXPECTED_LIMITS = 8
"""How many limits a search tries, about."""

_MOST_LIMITS = 24
_FIRST_STEP = 2.0
_LEAST_ERROR, _GREATEST_ERROR = -3.0, 3.0


@dataclass(frozen=True, slots=True)
class OptimumTask:
    """A link (by default the first) of a scenario, whose sizing has the targets, the bounds and
    in `initial_limit_bytes` the first guess; its policy does not matter."""

    scenario: Scenario
    seeds: tuple[int, ...] = (1,)
    link: str | None = None

    @property
    def sizing(self) -> Sizing:
        """The link's. Raises InvalidScenario for a queue disc."""
        sizing = self.scenario.link(self.link).sizing
        if sizing is None:
            raise InvalidScenario(f"{self.scenario.name}: a queue disc has no static optimum")
        return sizing

    def cells(self, limit_bytes: int) -> list[Cell]:
        """The simulations of one limit."""
        sizing = replace(
            self.sizing,
            policy="static",
            parameters={},
            initial_limit_bytes=limit_bytes,
            max_delay_s=None,
            memory=(),
        )
        scenario = self.scenario.with_sizing(sizing, self.link)
        return [Cell(scenario, seed, policy="optimum") for seed in self.seeds]


@dataclass(frozen=True, slots=True)
class Probe:
    """One limit that was tried: utilization and loss over all seeds, and e(b)."""

    limit_bytes: int
    utilization: float
    loss: float
    error: float


@dataclass(frozen=True, slots=True)
class Optimum:
    """The limit, interpolated between probes, and what determined it.

    ``binding`` is "utilization" or "loss", "minimum" where the lowest limit meets both targets,
    "none" where the highest one does not. ``measured`` are the cells (one per seed) of the
    smallest limit tried that meets both targets, for "none" of the highest.
    """

    link: str
    limit_bytes: float
    binding: str
    probes: tuple[Probe, ...]
    measured: tuple[tuple[Cell, CellResult], ...]


Search = Generator[list[Cell], Sequence[CellResult], Optimum]
"""Yields the cells to run next, is sent their results, returns the optimum."""
