"""The static optimum: the smallest fixed limit that meets both targets.

Loss falls and utilization rises with the limit (the ABS paper, section 2). The search works on the
logarithm of the limit b and of the missed fraction of either target,

    e(b) = max(ln(p / p*), ln((1 - u) / (1 - u*))),   u and p over all random seeds,

which is near to straight, so that few runs find its zero. All limits are tried with the same
seeds, so that the noise of one limit is that of the next.
"""

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from p4abs_experiments.network import InvalidScenario, Scenario, Sizing
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.simulation.result import CellResult

RESOLUTION = 1.03
"""The search ends when limits this far, or one packet, apart enclose the optimum."""

EXPECTED_LIMITS = 6
"""How many limits a search tries, about."""

_MOST_LIMITS = 24
_LONGEST_STEP = 8.0
"""The factor between limits while the optimum is not enclosed."""
_NEAR = 1.2
"""Probes within this factor take part in the interpolation."""
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

    `binding` is "utilization" or "loss", "minimum" where the lowest limit meets both targets,
    "none" where the highest one does not. `measured` are the cells (one per seed) of the
    smallest limit tried that meets both targets, for "none" of the highest.
    """

    link: str
    limit_bytes: float
    binding: str
    probes: tuple[Probe, ...]
    measured: tuple[tuple[Cell, CellResult], ...]


Search = Generator[list[Cell], Sequence[CellResult], Optimum]
"""Yields the cells to run next, is sent their results, returns the optimum."""


def search(task: OptimumTask) -> Search:
    """The search for one optimum. Raises InvalidScenario for a queue disc."""
    return _Search(task).run()


class _Search:
    """The limits tried so far, and those that enclose the optimum: too small, and large enough."""

    def __init__(self, task: OptimumTask) -> None:
        self._task = task
        self._sizing = task.sizing
        self._link = task.scenario.link(task.link).name
        self._probes: list[Probe] = []
        self._small: Probe | None = None
        self._large: Probe | None = None
        self._measured: tuple[tuple[Cell, CellResult], ...] = ()

    def run(self) -> Search:
        """See Search."""
        lowest, highest = self._sizing.min_limit_bytes, self._sizing.max_limit_bytes
        limit = min(max(self._sizing.initial_limit_bytes, lowest), highest)
        while len(self._probes) < _MOST_LIMITS:
            cells = self._task.cells(limit)
            results = yield cells
            probe = self._taken(limit, cells, results)
            if probe.error <= 0 and limit == lowest:
                return self._found(lowest, "minimum")
            if probe.error > 0 and (limit == highest or not self._held_back(results)):
                return self._found(math.nan, "none")
            if self._small and self._large:
                if self._enclosed(self._small.limit_bytes, self._large.limit_bytes):
                    break
                limit = self._between(self._small, self._large)
            else:
                limit = min(max(self._beyond(probe), lowest), highest)
        return self._interpolated()

    def _taken(self, limit: int, cells: Sequence[Cell], results: Sequence[CellResult]) -> Probe:
        links = [result.link(self._link) for result in results]
        dropped = sum(link.dropped_bytes for link in links)
        offered = dropped + sum(link.admitted_bytes for link in links)
        utilization = sum(link.utilization for link in links) / len(links)
        loss = dropped / offered if offered else 0.0
        error = max(self._errors(utilization, loss))
        probe = Probe(limit, utilization, loss, error)
        self._probes.append(probe)
        if error > 0:
            if self._small is None or limit > self._small.limit_bytes:
                self._small = probe
            if self._large is None:
                self._measured = tuple(zip(cells, results, strict=True))
        elif self._large is None or limit < self._large.limit_bytes:
            self._large = probe
            self._measured = tuple(zip(cells, results, strict=True))
        return probe

    def _enclosed(self, small_bytes: int, large_bytes: int) -> bool:
        """Whether the limits are as close as is asked for, or differ by less than a packet."""
        lengths = [entry.packet_bytes for entry in self._task.scenario.traffic]
        finest = max(small_bytes * (RESOLUTION - 1), min(lengths, default=1))
        return large_bytes - small_bytes <= finest

    def _held_back(self, results: Sequence[CellResult]) -> bool:
        """Whether anything was dropped at any time, or marked: if not, the link is no bottleneck,
        and a larger limit changes nothing."""
        dropped = (result.link(self._link).series.dropped_bytes.any() for result in results)
        flows = (flow for result in results for entry in result.traffic for flow in entry.flows)
        return any(dropped) or any(flow.marked_packets for flow in flows)

    def _errors(self, utilization: float, loss: float) -> tuple[float, float]:
        """ln of the idle time and of the loss over what the targets allow, within bounds."""
        idle = _log_ratio(1 - utilization, 1 - self._sizing.utilization)
        return idle, _log_ratio(loss, self._sizing.loss)

    def _beyond(self, probe: Probe) -> int:
        """A limit that should lie on the other side: e falls with ln b at a slope of 1 or more."""
        step = min(max(1.5 * abs(probe.error), math.log(RESOLUTION)), math.log(_LONGEST_STEP))
        factor = math.exp(math.copysign(step, probe.error))
        return _distinct(round(probe.limit_bytes * factor), probe.limit_bytes, probe.error > 0)

    def _between(self, small: Probe, large: Probe) -> int:
        """The interpolated zero, moved by half the resolution towards the further end, so that
        it becomes the other end; not too close to either."""
        low, high = math.log(small.limit_bytes), math.log(large.limit_bytes)
        share = small.error / (small.error - large.error)
        zero = low + share * (high - low)
        zero += math.copysign(0.45 * math.log(RESOLUTION), 0.5 - share)
        margin = min(0.1 * (high - low), 0.5 * math.log(RESOLUTION))
        limit = round(math.exp(min(max(zero, low + margin), high - margin)))
        return min(max(limit, small.limit_bytes + 1), large.limit_bytes - 1)

    def _interpolated(self) -> Optimum:
        """The zero of the straight line through the probes near the enclosing ones."""
        if self._small is None or self._large is None:
            return self._found(math.nan, "none")
        middle = (math.log(self._small.limit_bytes) + math.log(self._large.limit_bytes)) / 2
        near = [
            (math.log(probe.limit_bytes) - middle, probe.error)
            for probe in self._probes
            if abs(math.log(probe.limit_bytes) - middle) <= math.log(_NEAR)
        ]
        zero = min(max(_zero(near), -math.log(_NEAR)), math.log(_NEAR)) if len(near) > 1 else 0.0
        idle, loss = self._errors(self._large.utilization, self._large.loss)
        return self._found(math.exp(middle + zero), "utilization" if idle > loss else "loss")

    def _found(self, limit_bytes: float, binding: str) -> Optimum:
        return Optimum(self._link, limit_bytes, binding, tuple(self._probes), self._measured)


def _zero(points: Sequence[tuple[float, float]]) -> float:
    """Where the least-squares line through (x, e) crosses e = 0; 0 when it does not fall."""
    mean_x = sum(x for x, _ in points) / len(points)
    mean_e = sum(e for _, e in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (e - mean_e) for x, e in points) / spread if spread else 0.0
    return mean_x - mean_e / slope if slope < 0 else 0.0


def _log_ratio(value: float, target: float) -> float:
    if value <= 0:
        return _LEAST_ERROR
    return min(max(math.log(value / target), _LEAST_ERROR), _GREATEST_ERROR)


def _distinct(limit: int, other: int, larger: bool) -> int:
    return max(limit, other + 1) if larger else min(limit, other - 1)
