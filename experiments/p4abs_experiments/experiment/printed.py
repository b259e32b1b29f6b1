"""Where a table differs from what its paper prints, in sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

from p4abs_experiments.experiment.row import Row

FAR = 1.25
"""A limit differs from a printed one by more than this factor."""

FAR_UTILIZATION = 0.02
"""A utilization differs from a printed one by more than this."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """A figure of one row, measured and printed."""

    scenario: str
    measured: float
    printed: float
    is_far: bool


def deviations(rows: Sequence[Row], packet_bytes: int | None) -> list[str]:
    """A sentence for each policy and figure that is far from what is printed in some rows. Limits
    are compared where all packets have one length."""
    found = []
    for policy in dict.fromkeys(row.policy for row in rows):
        those = [row for row in rows if row.policy == policy]
        limits = [each for row in those if (each := _limit(row, packet_bytes))]
        shares = [each for row in those if (each := _utilization(row))]
        found += _sentence(f"limit of {policy} in packets", "{:.0f}", limits)
        found += _sentence(f"utilization of {policy} in %", "{:.1f}", shares)
    return found


def _limit(row: Row, packet_bytes: int | None) -> _Pair | None:
    if packet_bytes is None or not row.paper_limit_packets:
        return None
    packets = row.mean_limit_bytes / packet_bytes
    is_far = not 1 / FAR <= packets / row.paper_limit_packets <= FAR
    return _Pair(row.scenario, packets, row.paper_limit_packets, is_far)


def _utilization(row: Row) -> _Pair | None:
    if row.paper_utilization is None:
        return None
    is_far = abs(row.utilization - row.paper_utilization) > FAR_UTILIZATION
    return _Pair(row.scenario, 100 * row.utilization, 100 * row.paper_utilization, is_far)


def _sentence(what: str, form: str, pairs: Sequence[_Pair]) -> list[str]:
    far = [each for each in pairs if each.is_far]
    if not far:
        return []
    pairs_in_words = "; ".join(
        f"{form.format(each.measured)} measured, {form.format(each.printed)} printed "
        f"({each.scenario})"
        for each in far
    )
    return [
        f"The {what} differs from the paper's in {len(far)} of {len(pairs)} cells: "
        f"{pairs_in_words}."
    ]
