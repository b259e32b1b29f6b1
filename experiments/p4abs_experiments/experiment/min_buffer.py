"""Links that are no bottleneck: the least buffer that their loss target asks for, and its goals.

No buffer brings the utilization of such a link to a target above its load, so the yardstick is the
smallest fixed limit that meets the loss target alone.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from p4abs_experiments.experiment.goal import WIDE, Mark, goal
from p4abs_experiments.experiment.optimum import Optimum, OptimumTask
from p4abs_experiments.experiment.results import Results
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.experiment.verdicts import OURS, in_words
from p4abs_experiments.network import Scenario, Sizing

LARGEST_RATIO = 1.20
"""Of the mean limit to the least buffer."""

_NO_UTILIZATION = 0.001


def min_buffer_task(scenario: Scenario) -> OptimumTask:
    """The search for the least buffer of the first link."""
    return OptimumTask(_without_utilization(scenario))


def min_buffer(results: Results, scenario: Scenario) -> Optimum | None:
    """What the search found; None when it was not asked for. Nothing but loss can bind it."""
    found = results.optimum(_without_utilization(scenario))
    if found is None or found.binding == "none":
        return found
    return replace(found, binding="loss")


def min_buffer_goals(results: Results) -> list[str]:
    """A finding for every scenario of `abs`: no more loss than asked, by a small buffer."""
    return [
        goal(_keeps_loss(each) and _is_small(results, each), described(results, each))
        for each in _ours(results)
    ]


def min_buffer_marks(results: Results) -> list[Mark]:
    """Of every scenario of `abs`, for the report's map."""
    found = []
    for each in _ours(results):
        ratio = each.mean_limit_bytes.over(_enough_bytes(results, each))
        name = each.cell.scenario.name
        found.append(Mark(name, "ratio", in_words(ratio), _is_small(results, each)))
        beyond = each.loss.mean / _sizing(each.cell.scenario).loss - 1
        found.append(Mark(name, "target", f"loss {100 * beyond:+.1f} %", _keeps_loss(each)))
    return found


def described(results: Results, sample: Sample) -> str:
    """A scenario's limit beside the least buffer, in packets of its first source."""
    packet_bytes = sample.cell.scenario.traffic[0].packet_bytes
    enough, limit = _enough_bytes(results, sample), sample.mean_limit_bytes
    yardstick = (
        "and no fixed limit that was tried meets the loss target"
        if math.isnan(enough)
        else f"where {enough / packet_bytes:.1f} would do"
    )
    return (
        f"{sample.cell.scenario.name}, {sample.cell.policy_label}: mean limit "
        f"{in_words(limit.over(packet_bytes), '.1f')} packets, {yardstick}; utilization "
        f"{100 * sample.utilization.mean:.1f} %, loss {in_words(sample.loss.over(0.01))} % "
        f"({100 * _sizing(sample.cell.scenario).loss:g} % asked)."
    )


def _ours(results: Results) -> Sequence[Sample]:
    return [each for each in results.samples() if each.cell.policy_label == OURS]


def _is_small(results: Results, sample: Sample) -> bool:
    return sample.mean_limit_bytes.high <= LARGEST_RATIO * _enough_bytes(results, sample)


def _keeps_loss(sample: Sample) -> bool:
    asked = _sizing(sample.cell.scenario).loss
    return sample.loss.high <= (1 + WIDE.loss) * asked


def _enough_bytes(results: Results, sample: Sample) -> float:
    """nan where no limit that was tried meets the target, the lowest limit without a search."""
    optimum = min_buffer(results, sample.cell.scenario)
    if optimum is None:
        return _sizing(sample.cell.scenario).min_limit_bytes
    return optimum.limit_bytes


def _without_utilization(scenario: Scenario) -> Scenario:
    return scenario.with_sizing(replace(_sizing(scenario), utilization=_NO_UTILIZATION))


def _sizing(scenario: Scenario) -> Sizing:
    sizing = scenario.link().sizing
    assert sizing is not None, f"{scenario.name}: a queue disc"
    return sizing
