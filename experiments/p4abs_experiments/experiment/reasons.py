"""Why `abs` may not reach a goal, as far as the series of its first seed tell."""

import numpy as np

from p4abs_experiments.simulation.result import LinkSeries

DRIFT = 0.1
"""A limit that changes by more than this over the window had not arrived."""
FEW_GAPS = 0.1
"""A window shorter than ten times the longest time without a drop holds few sawteeth."""


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
        reasons.append(f"in a window of {window_s:.0f} s, up to {gap_s:.0f} s pass without a drop")
    change = drift(series, from_s)
    if abs(change) > DRIFT:
        reasons.append(
            f"the limit still {'falls' if change < 0 else 'rises'} by {100 * abs(change):.0f} % "
            "within the window"
        )
    return ", and ".join(reasons)
