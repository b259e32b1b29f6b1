"""The static optimum: the smallest fixed limit that meets both targets.

Loss falls and utilization rises with the limit (the ABS paper, section 2). The search works on the
logarithm of the limit b and of the missed fraction of either target,

    e(b) = max(ln(p / p*), ln((1 - u) / (1 - u*))),   u and p over all random seeds,

which is near to straight, so that few runs find its zero. The first seed alone shows about where
it is and how steeply e falls there; with all seeds the search goes on from that limit at that
slope. The result rests on limits that were all tried with the same seeds, so that the noise of one
is that of the next. Its interval comes of the limits that are found without each of the seeds: the
line is moved by what their errors are without it.
"""

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from p4abs_experiments.experiment.estimate import Estimate, jackknife
from p4abs_experiments.network import InvalidScenario, Scenario, Sizing
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.simulation.result import CellResult, LinkResult

RESOLUTION = 1.03
"""The search ends when limits this far, or one packet, apart enclose the optimum."""

_EXPECTED_LIMITS_ALONE = 5
_EXPECTED_LIMITS = 3
"""How many limits a search tries with one seed, and from there on with all of several, about."""

_MAX_LIMITS = 24
_LONGEST_STEP = 8.0
"""The factor between limits while the optimum is not enclosed."""
_NEAR = 1.2
"""Probes within this factor take part in the interpolation; the first seed alone goes no closer."""
_BEYOND = 0.45
"""By how much of the resolution a limit is moved past the zero that is expected."""
_MIN_SLOPE, _MAX_SLOPE = 0.4, 8.0
"""Of -e over ln b, as far as one seed is believed."""
_MIN_ERROR, _MAX_ERROR = -3.0, 3.0


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
    """One limit that was tried: ln of the idle time and of the loss over what is allowed, of all
    seeds together and without each of them."""

    limit_bytes: int
    idle_error: float
    loss_error: float
    without: tuple[tuple[float, float], ...]

    @property
    def error(self) -> float:
        """e(b)"""
        return max(self.idle_error, self.loss_error)


@dataclass(frozen=True, slots=True)
class Optimum:
    """The limit, interpolated between probes, and what determined it.

    `binding` is "utilization" or "loss", "tie" where a single seed decides, "minimum" where
    the lowest limit meets both targets, "none" where the highest one does not. `measured` are the
    cells (one per seed) of the smallest limit tried that meets both targets, for "none" of the
    highest. `leaving_out_bytes` are the limits without each seed, none where none was interpolated.
    """

    link: str
    limit_bytes: float
    binding: str
    probes: tuple[Probe, ...]
    measured: tuple[tuple[Cell, CellResult], ...]
    leaving_out_bytes: tuple[float, ...] = ()

    @property
    def limit(self) -> Estimate:
        """In bytes, with its interval."""
        return jackknife(self.limit_bytes, self.leaving_out_bytes)


Search = Generator[list[Cell], Sequence[CellResult], Optimum]
"""Yields the cells to run next, is sent their results, returns the optimum."""


def expected_simulations(seeds: int) -> int:
    """How many simulations a search with so many random seeds takes, about."""
    alone = _EXPECTED_LIMITS_ALONE
    return alone if seeds == 1 else alone + seeds * _EXPECTED_LIMITS


def search(task: OptimumTask) -> Search:
    """The search for one optimum. Raises InvalidScenario for a queue disc."""
    guess_bytes = _within_bounds(task.sizing.initial_limit_bytes, task.sizing)
    if len(task.seeds) == 1:
        return _Search(task, RESOLUTION).run(guess_bytes)
    return _in_two_phases(task, guess_bytes)


def _in_two_phases(task: OptimumTask, guess_bytes: int) -> Search:
    alone = yield from _Search(replace(task, seeds=task.seeds[:1]), _NEAR).run(guess_bytes)
    found = not math.isnan(alone.limit_bytes)
    begin_bytes = round(alone.limit_bytes) if found else alone.probes[-1].limit_bytes
    begin_bytes = _within_bounds(begin_bytes, task.sizing)
    slope, _ = _line(alone.probes, begin_bytes)
    believed = min(max(slope, _MIN_SLOPE), _MAX_SLOPE) if slope else None
    return (yield from _Search(task, RESOLUTION, believed).run(begin_bytes))


class _Search:
    """Limits tried with the task's seeds, until two of them, one too small and one large enough,
    are a factor of `resolution` or one packet apart. `slope` is that of -e over ln b, if known."""

    def __init__(self, task: OptimumTask, resolution: float, slope: float | None = None) -> None:
        self._task = task
        self._sizing = task.sizing
        self._link = task.scenario.link(task.link).name
        self._resolution = resolution
        self._slope = slope
        self._probes: list[Probe] = []
        self._small: Probe | None = None
        self._large: Probe | None = None
        self._measured: tuple[tuple[Cell, CellResult], ...] = ()

    def run(self, limit: int) -> Search:
        """See Search; `limit` is the first to be tried."""
        lowest, highest = self._sizing.min_limit_bytes, self._sizing.max_limit_bytes
        while len(self._probes) < _MAX_LIMITS:
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
                limit = _within_bounds(self._beyond(probe), self._sizing)
        return self._interpolated()

    def _taken(self, limit: int, cells: Sequence[Cell], results: Sequence[CellResult]) -> Probe:
        links = [result.link(self._link) for result in results]
        without = [self._errors([*links[:left], *links[left + 1 :]]) for left in range(len(links))]
        several = tuple(without) if len(links) > 1 else ()
        probe = Probe(limit, *self._errors(links), several)
        self._probes.append(probe)
        if probe.error > 0:
            if self._small is None or limit > self._small.limit_bytes:
                self._small = probe
            if self._large is None:
                self._measured = tuple(zip(cells, results, strict=True))
        elif self._large is None or limit < self._large.limit_bytes:
            self._large = probe
            self._measured = tuple(zip(cells, results, strict=True))
        return probe

    def _enclosed(self, small_bytes: int, large_bytes: int) -> bool:
        return large_bytes - small_bytes <= self._finest_bytes(small_bytes)

    def _finest_bytes(self, limit: int) -> float:
        """The least distance of limits that is told apart: as asked for, or a packet."""
        lengths = [entry.packet_bytes for entry in self._task.scenario.traffic]
        return max(limit * (self._resolution - 1), min(lengths, default=1))

    def _held_back(self, results: Sequence[CellResult]) -> bool:
        """Whether anything was dropped at any time, or marked: if not, the link is no bottleneck,
        and a larger limit changes nothing."""
        dropped = (result.link(self._link).series.dropped_bytes.any() for result in results)
        flows = (flow for result in results for entry in result.traffic for flow in entry.flows)
        return any(dropped) or any(flow.marked_packets for flow in flows)

    def _errors(self, links: Sequence[LinkResult]) -> tuple[float, float]:
        """ln of the idle time and of the loss over what the targets allow, within bounds."""
        if not links:
            return 0.0, 0.0
        dropped = sum(link.dropped_bytes for link in links)
        offered = dropped + sum(link.admitted_bytes for link in links)
        idle = 1 - sum(link.utilization for link in links) / len(links)
        loss = dropped / offered if offered else 0.0
        return (
            _log_ratio(idle, 1 - self._sizing.utilization),
            _log_ratio(loss, self._sizing.loss),
        )

    def _beyond(self, probe: Probe) -> int:
        """A limit that should lie on the other side."""
        if self._slope is None:  # it is 1 or more
            step = max(1.5 * abs(probe.error), math.log(RESOLUTION))
        else:  # doubled each time, as a slope of one seed's noise may be far too steep
            past = _BEYOND * self._finest_bytes(probe.limit_bytes) / probe.limit_bytes
            step = abs(probe.error) / self._slope + past * 2 ** (len(self._probes) - 1)
        factor = math.exp(math.copysign(min(step, math.log(_LONGEST_STEP)), probe.error))
        return _distinct(round(probe.limit_bytes * factor), probe.limit_bytes, probe.error > 0)

    def _between(self, small: Probe, large: Probe) -> int:
        """The interpolated zero, moved by half the resolution towards the further end, so that
        it becomes the other end; not too close to either."""
        low, high = math.log(small.limit_bytes), math.log(large.limit_bytes)
        share = small.error / (small.error - large.error)
        zero = low + share * (high - low)
        zero += math.copysign(_BEYOND * math.log(self._resolution), 0.5 - share)
        margin = min(0.1 * (high - low), 0.5 * math.log(self._resolution))
        limit = round(math.exp(min(max(zero, low + margin), high - margin)))
        return min(max(limit, small.limit_bytes + 1), large.limit_bytes - 1)

    def _interpolated(self) -> Optimum:
        """The zero of the straight line through the probes near the enclosing ones."""
        if self._small is None or self._large is None:
            return self._found(math.nan, "none")
        middle_bytes = math.sqrt(self._small.limit_bytes * self._large.limit_bytes)
        slope, zero = _line(self._probes, middle_bytes)
        zero = min(max(zero, -math.log(_NEAR)), math.log(_NEAR))
        limit_bytes = middle_bytes * math.exp(zero)
        near = _near(self._probes, middle_bytes)
        believed = min(max(slope, _MIN_SLOPE), _MAX_SLOPE)
        leaving_out = [
            limit_bytes * math.exp((_mean_error(near, seed) - _mean_error(near)) / believed)
            for seed in range(len(near[0].without))
        ]
        return self._found(limit_bytes, _binding(near, limit_bytes), tuple(leaving_out))

    def _found(
        self, limit_bytes: float, binding: str, leaving_out: tuple[float, ...] = ()
    ) -> Optimum:
        return Optimum(
            self._link, limit_bytes, binding, tuple(self._probes), self._measured, leaving_out
        )


def _near(probes: Sequence[Probe], around_bytes: float) -> list[Probe]:
    """Those near a limit; the nearest one where none is."""
    distances = [abs(math.log(probe.limit_bytes / around_bytes)) for probe in probes]
    reach = max(math.log(_NEAR), min(distances))
    return [probe for probe, each in zip(probes, distances, strict=True) if each <= reach]


def _mean_error(probes: Sequence[Probe], without: int | None = None) -> float:
    """The mean of e, of all seeds or without one of them."""
    if without is None:
        return fmean(probe.error for probe in probes)
    return fmean(max(probe.without[without]) for probe in probes)


def _binding(probes: Sequence[Probe], limit_bytes: float) -> str:
    """Which target decides at a limit, by the probe that lies nearest to it: a tie where this hangs
    on a single seed."""
    nearest = min(probes, key=lambda probe: abs(math.log(probe.limit_bytes / limit_bytes)))
    errors = ((nearest.idle_error, nearest.loss_error), *nearest.without)
    deciding = {"utilization" if idle > loss else "loss" for idle, loss in errors}
    return deciding.pop() if len(deciding) == 1 else "tie"


def _line(probes: Sequence[Probe], around_bytes: float) -> tuple[float, float]:
    """The least-squares line through the probes near a limit: how steeply e falls with ln b, and
    ln of the factor from that limit to where e = 0; both 0 when it does not fall."""
    near = _near(probes, around_bytes)
    points = [(math.log(probe.limit_bytes / around_bytes), probe.error) for probe in near]
    if len(points) < 2:
        return 0.0, 0.0
    mean_x, mean_e = (sum(values) / len(points) for values in zip(*points, strict=True))
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((mean_x - x) * (e - mean_e) for x, e in points) / spread if spread else 0.0
    return (slope, mean_x + mean_e / slope) if slope > 0 else (0.0, 0.0)


def _log_ratio(value: float, target: float) -> float:
    if value <= 0:
        return _MIN_ERROR
    return min(max(math.log(value / target), _MIN_ERROR), _MAX_ERROR)


def _distinct(limit: int, other: int, larger: bool) -> int:
    return max(limit, other + 1) if larger else min(limit, other - 1)


def _within_bounds(limit: int, sizing: Sizing) -> int:
    return min(max(limit, sizing.min_limit_bytes), sizing.max_limit_bytes)
