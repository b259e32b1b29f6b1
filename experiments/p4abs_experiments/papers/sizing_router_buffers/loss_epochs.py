"""When a single flow loses, and what its link looked like then."""

import numpy as np

from p4abs_experiments.simulation.result import CellResult, Series


def loss_epochs_s(result: CellResult) -> Series:
    """When the flow lost: the start of every run of drops that lie less than 2 s apart."""
    series = result.link().series
    dropping = series.time_s[series.dropped_bytes > 0]
    return dropping[np.diff(dropping, prepend=-np.inf) > 2]


def limit_at_losses_bytes(result: CellResult) -> float:
    """The mean limit that the flow ran into, after the first quarter of the run."""
    series = result.link().series
    times = loss_epochs_s(result)
    at = np.searchsorted(series.time_s, times[times >= series.time_s[-1] / 4])
    return float(series.limit_bytes[at].mean())


def period_s(result: CellResult) -> float:
    """The mean time between losses after the first quarter of the run; nan with fewer than two."""
    times = loss_epochs_s(result)
    times = times[times >= result.link().series.time_s[-1] / 4]
    return float(np.diff(times).mean()) if len(times) > 1 else float("nan")
