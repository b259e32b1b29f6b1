"""Whether `abs` reaches its goals: target met, smallest buffer, calm limit.

Each is judged at the end of the 95 % confidence interval that is further from the goal.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from p4abs_experiments.experiment.estimate import Estimate
from p4abs_experiments.experiment.goal import Mark, Tolerances, goal
from p4abs_experiments.experiment.optimum import Optimum
from p4abs_experiments.experiment.results import Results
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.network import Sizing
from p4abs_experiments.simulation.result import LinkSeries

OURS = "abs"
"""The policy that is judged; with parameters of its own or under a bound on memory it is not."""

DRIFT = 0.1
"""A limit that changes by more than this over the window had not arrived."""
FEW_GAPS = 0.1
"""A window shorter than ten times the longest time without a drop holds few sawteeth."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A link under a policy beside its static optimum, which may be unknown."""

    sample: Sample
    sizing: Sizing
    optimum: Optimum | None
    tolerances: Tolerances

    @property
    def name(self) -> str:
        scenario = self.sample.cell.scenario
        first = self.sample.link == scenario.link().name
        return scenario.name if first else f"{scenario.name} {self.sample.link}"

    @property
    def ratio(self) -> Estimate | None:
        """Mean limit over static optimum; None without an optimum."""
        if self.optimum is None or math.isnan(self.optimum.limit_bytes):
            return None
        return self.sample.mean_limit_bytes.over(self.optimum.limit_bytes)

    @property
    def is_small(self) -> bool:
        """The goal for the mean limit; met where there is no optimum."""
        return self.ratio is None or self.ratio.high <= self.tolerances.ratio

    @property
    def is_calm(self) -> bool:
        """The goal for its oscillation."""
        largest = self.tolerances.oscillation
        return largest is None or self.sample.oscillation.high <= largest

    @property
    def holds(self) -> bool:
        """The target that binds is held, from either side; without an optimum both are kept."""
        used, lost = self.sample.utilization, self.sample.loss.over(self.sizing.loss)
        if self._binding == "utilization":
            return used.distance(self.sizing.utilization) <= self.tolerances.utilization
        if self._binding == "loss":
            return lost.distance(1.0) <= self.tolerances.loss
        enough = used.low >= self.sizing.utilization - self.tolerances.utilization
        return enough and lost.high <= 1 + self.tolerances.loss

    def described(self) -> str:
        used = f"utilization {_per_cent(self.sample.utilization, 2)} %"
        lost = f"loss {_per_cent(self.sample.loss, 3)} %"
        asked_used = f"{100 * self.sizing.utilization:g} % asked"
        asked_lost = f"{100 * self.sizing.loss:g} % asked"
        if self._binding == "utilization":
            return f"{self.name}: {used} ({asked_used})"
        if self._binding == "loss":
            return f"{self.name}: {lost} ({asked_lost})"
        return f"{self.name}: {used} ({asked_used}), {lost} ({asked_lost})"

    def missing(self) -> str:
        """How far the target that binds is missed, and in which direction."""
        used, lost = self.sample.utilization, self.sample.loss.over(self.sizing.loss)
        points = f"{100 * (used.mean - self.sizing.utilization):+.2f} points"
        share = f"loss {100 * (lost.mean - 1):+.1f} %"
        if self._binding == "utilization":
            return points
        return share if self._binding == "loss" else f"{points}, {share}"

    @property
    def _binding(self) -> str:
        return "" if self.optimum is None else self.optimum.binding


def verdicts_on(results: Results, tolerances: Tolerances) -> list[Verdict]:
    """Every link that `abs` sizes with its defaults, in the order of the cells."""
    return list(_judged(results, tolerances, _is_ours))


def goals(results: Results, tolerances: Tolerances) -> list[str]:
    """The goals over all links of `abs`, each met or missed with those that miss it."""
    judged = verdicts_on(results, tolerances)
    if not judged:
        return []
    sentences = [_target_goal(judged, tolerances)]
    if any(each.ratio is not None for each in judged):
        sentences.append(_ratio_goal(judged, tolerances))
    if tolerances.oscillation is not None:
        sentences.append(_oscillation_goal(judged, tolerances.oscillation))
    return sentences + _reasons(judged)


def marks(results: Results, tolerances: Tolerances) -> list[Mark]:
    """The figures of merit of every link of `abs`, for the report's map."""
    return [mark for each in verdicts_on(results, tolerances) for mark in _marks(each)]


def reach(results: Results, tolerances: Tolerances, policy: str) -> str:
    """How often another policy holds the target that binds, and with how much buffer."""
    judged = [
        each
        for each in _judged(
            results, tolerances, lambda sample, _: sample.cell.policy_label == policy
        )
        if each.ratio is not None
    ]
    ratios = sorted(each.ratio.mean for each in judged if each.ratio is not None)
    if not ratios:
        return f"{policy}: no static optimum to compare with."
    met = sum(each.holds for each in judged)
    return (
        f"{policy} holds the target that binds in {met} of {len(judged)} cells, with "
        f"{ratios[0]:.2f} to {ratios[-1]:.2f} times the static optimum."
    )


def _marks(verdict: Verdict) -> Iterator[Mark]:
    if verdict.ratio is not None:
        yield Mark(verdict.name, "ratio", in_words(verdict.ratio), verdict.is_small)
    yield Mark(verdict.name, "target", verdict.missing(), verdict.holds)
    calm = None if verdict.tolerances.oscillation is None else verdict.is_calm
    yield Mark(verdict.name, "std/mean", f"{_per_cent(verdict.sample.oscillation, 0)} %", calm)


def _is_ours(sample: Sample, sizing: Sizing) -> bool:
    return sizing.policy == OURS and not (sizing.parameters or sizing.memory or sizing.variation)


def _judged(
    results: Results, tolerances: Tolerances, wanted: Callable[[Sample, Sizing], bool]
) -> Iterator[Verdict]:
    for sample in results.samples():
        for link in sample.cell.scenario.links:
            here = replace(sample, link=link.name)
            if link.sizing is not None and wanted(here, link.sizing):
                optimum = results.optimum(sample.cell.scenario, link.name)
                yield Verdict(here, link.sizing, optimum, tolerances)


def _target_goal(judged: Sequence[Verdict], tolerances: Tolerances) -> str:
    missed = [each.described() for each in judged if not each.holds]
    sentence = (
        f"{OURS} holds the target that binds, utilization within "
        f"{100 * tolerances.utilization:g} points or loss within {100 * tolerances.loss:g} %, "
        f"in {len(judged) - len(missed)} of {len(judged)} cells"
    )
    return goal(not missed, _with_exceptions(sentence, missed))


def _ratio_goal(judged: Sequence[Verdict], tolerances: Tolerances) -> str:
    found = [(each, each.ratio) for each in judged if each.ratio is not None]
    missed = [f"{each.name}: {in_words(ratio)}" for each, ratio in found if not each.is_small]
    ratios = sorted(ratio.mean for _, ratio in found)
    sentence = (
        f"the mean limit of {OURS} is at most {tolerances.ratio:.2f} times the static optimum in "
        f"{len(found) - len(missed)} of {len(found)} cells (from {ratios[0]:.2f} to "
        f"{ratios[-1]:.2f})"
    )
    unknown = [each.name for each in judged if each.ratio is None]
    without = f" Without a static optimum, not judged: {', '.join(unknown)}." if unknown else ""
    return goal(not missed, _with_exceptions(sentence, missed) + without)


def _oscillation_goal(judged: Sequence[Verdict], largest: float) -> str:
    missed = [
        f"{each.name}: {_per_cent(each.sample.oscillation, 0)} %"
        for each in judged
        if not each.is_calm
    ]
    sentence = (
        f"the limit's standard deviation under {OURS} is at most {100 * largest:g} % of its mean "
        f"in {len(judged) - len(missed)} of {len(judged)} cells"
    )
    return goal(not missed, _with_exceptions(sentence, missed))


def _reasons(judged: Sequence[Verdict]) -> list[str]:
    """Of the cells that miss a goal, as far as the series of their first seed tell."""
    sentences = []
    for each in judged:
        if each.holds and each.is_small and each.is_calm:
            continue
        why = reason(each.sample.first, each.sample.cell.scenario.measure_from_s)
        if why:
            sentences.append(f"{each.name}: {why}.")
    return sentences


def in_words(value: Estimate, form: str = ".2f") -> str:
    """A mean and half the width of its confidence interval, in a number format."""
    text = format(value.mean, form)
    return f"{text} ± {value.half_width:{form}}" if value.half_width else text


def _per_cent(value: Estimate, digits: int) -> str:
    return in_words(value.over(0.01), f".{digits}f")


def _with_exceptions(sentence: str, missed: Sequence[str]) -> str:
    return f"{sentence}; not in {'; '.join(missed)}." if missed else f"{sentence}."


def longest_time_without_drop_s(series: LinkSeries, from_s: float) -> float:
    """The longest stretch without a drop after `from_s`; the whole rest where there is none."""
    drops_s = series.time_s[(series.dropped_bytes > 0) & (series.time_s > from_s)]
    edges_s = np.concatenate(([from_s], drops_s, series.time_s[-1:]))
    return float(np.diff(edges_s).max())


def drift(series: LinkSeries, from_s: float) -> float:
    """Mean limit of the last third after `from_s` over that of the first third, minus one.

    At least one sample stands for a third.
    """
    limit = series.limit_bytes[series.time_s > from_s]
    third = max(1, len(limit) // 3)
    return float(limit[-third:].mean() / limit[:third].mean()) - 1


def reason(series: LinkSeries, from_s: float) -> str:
    """In words; empty where neither explains anything."""
    reasons = []
    window_s = float(series.time_s[-1]) - from_s
    gap_s = longest_time_without_drop_s(series, from_s)
    if gap_s > FEW_GAPS * window_s:
        reasons.append(f"up to {gap_s:.0f} s pass without a drop, in a window of {window_s:.0f} s")
    change = drift(series, from_s)
    if abs(change) > DRIFT:
        reasons.append(
            f"the limit still {'falls' if change < 0 else 'rises'}, by {100 * abs(change):.0f} % "
            "within the window"
        )
    return " and ".join(reasons)
