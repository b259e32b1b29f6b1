"""Whether a phase of a demonstration meets its targets with a reasonable limit.

Both targets must hold, and one of them must be what holds the limit down: utilization within a
point of its target, or loss within 15 % of it. The mean limit must not exceed that of the same
demonstration on a quiet machine by more than 30 %.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from p4abs_demonstration.measure.goals import (
    LOSS_TOLERANCE,
    UTILIZATION_TOLERANCE,
    missed_targets,
)

LIMIT_RATIO_MAX = 1.3
SOON_TOLERANCE = 0.15
STATIC_PHASE = "before"  # no policy, no goal


class Verdict(StrEnum):
    """What a phase has come to."""

    MET = "met"
    MISSED = "Goal missed"
    DISTURBED = "disturbed"
    FAILED = "failed"


@dataclass(frozen=True)
class Row:
    """A phase of a demonstration; None is what is not known.

    ratio: the mean limit over that of the reference.
    soon: the limit SOON_S after flows left or returned over the mean limit.
    note: why there is no result, or what was missed.
    """

    case: str
    phase: str
    verdict: Verdict
    note: str = ""
    utilization: float | None = None
    loss: float | None = None
    binding: str | None = None
    mean_limit_bytes: float | None = None
    max_limit_bytes: float | None = None
    ratio: float | None = None
    soon: float | None = None


Summary = Mapping[str, Any]


def judge(case: str, summary: Summary, reference: Summary | None) -> list[Row]:
    """A row for each phase of a demonstration's summary that a policy has controlled."""
    compared = {} if reference is None else {p["name"]: p for p in reference["phases"]}
    return [
        _row(case, phase, summary["targets"], compared.get(phase["name"]))
        for phase in summary["phases"]
        if phase["name"] != STATIC_PHASE
    ]


def _row(case: str, phase: Summary, targets: Summary, reference: Summary | None) -> Row:
    if phase["disturbed"]:
        note = (
            f"{phase['missed_intervals']:.1%} of intervals missed, "
            f"{phase['unseen_traffic']:.2%} of the traffic unseen"
        )
        return Row(case, phase["name"], Verdict.DISTURBED, note)
    compared_bytes = reference["mean_limit_bytes"] if reference else None
    ratio = phase["mean_limit_bytes"] / compared_bytes if compared_bytes else None
    missed = missed_goals(phase["utilization"], phase["loss"], targets, ratio)
    unreachable = phase["unreachable"] and f"unreachable: {phase['unreachable']}"
    return Row(
        case,
        phase["name"],
        Verdict.MISSED if missed else Verdict.MET,
        "; ".join(filter(None, (missed, unreachable))),
        phase["utilization"],
        phase["loss"],
        phase["binding"],
        phase["mean_limit_bytes"],
        phase["max_limit_bytes"],
        ratio,
        phase["soon_limit_ratio"] if phase["changes_load"] else None,
    )


def missed_goals(utilization: float, loss: float, targets: Summary, ratio: float | None) -> str:
    """What is wrong, in a few words; empty if nothing is.

    targets: `utilization` and `loss`, as fractions.
    """
    missed = missed_targets(utilization, loss, targets["utilization"], targets["loss"])
    excess = utilization - targets["utilization"]
    relative_loss = loss / targets["loss"]
    if excess > UTILIZATION_TOLERANCE and relative_loss < 1 - LOSS_TOLERANCE:
        missed.append("limit too large for either target")
    if ratio is not None and ratio > LIMIT_RATIO_MAX:
        missed.append("limit above the reference's")
    return ", ".join(missed)
