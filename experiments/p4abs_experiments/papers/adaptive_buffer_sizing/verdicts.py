"""What Tables 2 and 3 say about the goals: target met, smallest buffer, calm limit."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from p4abs_experiments.experiment import Results
from p4abs_experiments.experiment.goal import goal
from p4abs_experiments.experiment.optimum import Optimum
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.papers.adaptive_buffer_sizing.reasons import reason
from p4abs_experiments.papers.adaptive_buffer_sizing.scenarios import Goal
from p4abs_experiments.simulation.result import LinkResult

UTILIZATION_TOLERANCE = 0.003
"""How far utilization may lie from its target where it binds."""

LOSS_TOLERANCE = 0.03
"""How far the loss rate may lie from its target where it binds, relative."""

LARGEST_RATIO = 1.10
"""Of the mean limit to the static optimum."""

LARGEST_OSCILLATION = 0.10
"""Of the limit's standard deviation to its mean."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One run beside its static optimum."""

    cell: Cell
    link: LinkResult
    optimum: Optimum

    @property
    def name(self) -> str:
        """For sentences."""
        return f"{self.cell.scenario.name} (seed {self.cell.seed})"

    @property
    def ratio(self) -> float:
        """Mean limit over static optimum."""
        return self.link.mean_limit_bytes / self.optimum.limit_bytes

    @property
    def oscillation(self) -> float:
        """Standard deviation of the limit over its mean."""
        return self.link.std_limit_bytes / self.link.mean_limit_bytes

    @property
    def is_small(self) -> bool:
        """The goal for the mean limit."""
        return self.ratio <= LARGEST_RATIO

    @property
    def is_calm(self) -> bool:
        """The goal for its oscillation."""
        return self.oscillation <= LARGEST_OSCILLATION

    def meets(self, goal: Goal) -> bool:
        """The target that binds is held, from either side."""
        if self.optimum.binding == "utilization":
            return abs(self.link.utilization - goal.utilization) <= UTILIZATION_TOLERANCE
        return abs(self.link.loss / goal.loss - 1) <= LOSS_TOLERANCE

    def described(self) -> str:
        """The measurement that `meets` judges."""
        if self.optimum.binding == "utilization":
            return f"{self.name}: utilization {100 * self.link.utilization:.2f} %"
        return f"{self.name}: loss {100 * self.link.loss:.3f} %"


def verdicts(results: Results, targets: Goal, policy: str = "abs") -> Sequence[str]:
    """The goals of the grid, each met or missed with the cells that miss it, and every other
    policy's reach. Cells without an optimum are named, not judged."""
    judged, open_cells = _judged(results, policy)
    if not judged:
        return [f"No run of {policy} has a static optimum to compare with."]
    sentences = [
        _target_goal(judged, targets, policy),
        _ratio_goal(judged, policy),
        _oscillation_goal(judged, policy),
    ]
    sentences += _reasons(judged, targets)
    if open_cells:
        sentences.append(f"Without a static optimum, not judged: {', '.join(open_cells)}.")
    others = dict.fromkeys(cell.policy_label for cell in results.cells)
    sentences += [_reach(results, targets, name) for name in others if name != policy]
    return sentences


def _judged(results: Results, policy: str) -> tuple[list[Verdict], list[str]]:
    judged, open_cells = [], []
    for cell in results.cells:
        if cell.policy_label != policy:
            continue
        optimum = results.optimum(cell.scenario)
        if optimum is None or math.isnan(optimum.limit_bytes):
            open_cells.append(cell.scenario.name)
        else:
            judged.append(Verdict(cell, results[cell].link(), optimum))
    return judged, open_cells


def _target_goal(judged: Sequence[Verdict], targets: Goal, policy: str) -> str:
    missed = [verdict.described() for verdict in judged if not verdict.meets(targets)]
    sentence = (
        f"{policy} holds the target that binds, utilization within "
        f"{100 * UTILIZATION_TOLERANCE:g} points or loss within {100 * LOSS_TOLERANCE:g} %, "
        f"in {len(judged) - len(missed)} of {len(judged)} cells"
    )
    return goal(not missed, _with_exceptions(sentence, missed))


def _ratio_goal(judged: Sequence[Verdict], policy: str) -> str:
    missed = [f"{each.name}: {each.ratio:.2f}" for each in judged if not each.is_small]
    ratios = sorted(verdict.ratio for verdict in judged)
    sentence = (
        f"the mean limit of {policy} is at most {LARGEST_RATIO:.2f} times the static optimum in "
        f"{len(judged) - len(missed)} of {len(judged)} cells (from {ratios[0]:.2f} to "
        f"{ratios[-1]:.2f})"
    )
    return goal(not missed, _with_exceptions(sentence, missed))


def _oscillation_goal(judged: Sequence[Verdict], policy: str) -> str:
    missed = [f"{each.name}: {100 * each.oscillation:.0f} %" for each in judged if not each.is_calm]
    sentence = (
        f"the limit's standard deviation under {policy} is at most "
        f"{100 * LARGEST_OSCILLATION:g} % of its mean in {len(judged) - len(missed)} of "
        f"{len(judged)} cells"
    )
    return goal(not missed, _with_exceptions(sentence, missed))


def _reasons(judged: Sequence[Verdict], targets: Goal) -> list[str]:
    """Of the cells that miss a goal, as far as their series tell."""
    sentences = []
    for each in judged:
        if each.meets(targets) and each.is_small and each.is_calm:
            continue
        why = reason(each.link.series, each.cell.scenario.measure_from_s)
        if why:
            sentences.append(f"{each.name}: {why}.")
    return sentences


def _reach(results: Results, targets: Goal, policy: str) -> str:
    judged, _ = _judged(results, policy)
    met = sum(verdict.meets(targets) for verdict in judged)
    ratios = sorted(verdict.ratio for verdict in judged)
    if not ratios:
        return f"{policy}: no static optimum to compare with."
    return (
        f"{policy} holds the target that binds in {met} of {len(judged)} cells, with "
        f"{ratios[0]:.2f} to {ratios[-1]:.2f} times the static optimum."
    )


def _with_exceptions(sentence: str, missed: Sequence[str]) -> str:
    return f"{sentence}; not in {'; '.join(missed)}." if missed else f"{sentence}."
