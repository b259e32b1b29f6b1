"""Forwarding over virtual links as rows of results: this project's switch, and BMv2 beside it.

What was measured of each length of frames is by that length in bytes. Ratios are this switch's
medians to BMv2's; each stands under half of its own load for the latencies there. Without BMv2 its
rows and the ratios are null.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median_low
from typing import Any

from targets import Kind
from workloads import ABS, Workload

from veth import forwarding
from veth.forwarding import Round

Rounds = Sequence[Mapping[int, Round]]
ByFrameBytes = dict[int, float]

# Rows by what follows the program's name.
MEDIANS: Mapping[str, Callable[[Round], float]] = {
    "pps": lambda one: one.speed.packets_per_s,
    "offered_pps": lambda one: one.speed.offered_pps,
    "latency_median_s": lambda one: one.latency.median_s,
    "latency_p99_s": lambda one: one.latency.p99_s,
    "half_load_pps": lambda one: one.half_load.offered_pps,
    "half_load_lost_share": lambda one: one.half_load.lost_share,
    "half_load_latency_median_s": lambda one: one.half_load.median_s,
    "half_load_latency_p99_s": lambda one: one.half_load.p99_s,
}
COMPARED = ("pps", "half_load_latency_median_s", "half_load_latency_p99_s")


def measure(
    workload: Workload, kinds: Sequence[Kind], blast: Path, rounds: int = forwarding.ROUNDS
) -> dict[str, Any]:
    """The rows of one program, of which those of ABS bear no name.

    `kinds` are this switch and, where it is there, BMv2.
    """
    name = "veth" if workload is ABS else f"{workload.name}_veth"
    own, *others = forwarding.measure(kinds, workload, blast, rounds)
    peer = others[0] if others else None
    return {
        **_rows(name, own),
        **_rows(f"bmv2_{name}", peer),
        **{
            f"{name}_{row.removesuffix('_s')}_ratio_by_frame_bytes": _ratios(row, own, peer)
            for row in COMPARED
        },
    }


def _rows(name: str, rounds: Rounds | None) -> dict[str, Any]:
    """Medians over a target's rounds, and the rounds' speeds themselves; null without any."""
    found: dict[str, Any] = {
        f"{name}_{row}_by_frame_bytes": rounds and _medians(row, rounds) for row in MEDIANS
    }
    found[f"{name}_pps_by_round_by_frame_bytes"] = rounds and {
        size: [each[size].speed.packets_per_s for each in rounds] for size in rounds[0]
    }
    return found


def _medians(row: str, rounds: Rounds) -> ByFrameBytes:
    """One row's by the frames' length."""
    value = MEDIANS[row]
    return {size: median_low(value(each[size]) for each in rounds) for size in rounds[0]}


def _ratios(row: str, own: Rounds, peer: Rounds | None) -> ByFrameBytes | None:
    if peer is None:
        return None
    beside = _medians(row, peer)
    return {size: value / beside[size] for size, value in _medians(row, own).items()}
