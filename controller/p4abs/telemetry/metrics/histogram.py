"""Histograms of values, as OpenMetrics has them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from p4abs.columns import Positions


class Histograms:
    """Values of several things, counted by ascending upper bounds, which belong to their buckets.

    One thread adds while another reads; a sum may then be of one value more than the counts.
    """

    def __init__(self, bounds: Sequence[float], things: int) -> None:
        self._bounds = np.array(bounds)
        self._counts = np.zeros((things, len(bounds) + 1), np.int64)
        self._sums = np.zeros(things)
        self._labels = [*(repr(float(bound)) for bound in bounds), "+Inf"]

    def begin(self, things: Positions) -> None:
        """These, of which some may be new, begin anew."""
        more = max(0, int(things.max()) + 1 - len(self._sums))
        self._counts = np.pad(self._counts, ((0, more), (0, 0)))
        self._sums = np.pad(self._sums, (0, more))
        self._counts[things] = self._sums[things] = 0

    def add(self, things: Positions, values: NDArray[np.float64]) -> None:
        """Counts a value of each of these things; NaN is none."""
        is_known = values == values
        things, values = things[is_known], values[is_known]
        self._counts[things, np.searchsorted(self._bounds, values)] += 1
        self._sums[things] += values

    def sum(self, thing: int) -> float:
        total: float = self._sums[thing].item()
        return total

    def buckets(self, thing: int) -> list[tuple[str, float]]:
        """A thing's values up to each bound, as OpenMetrics writes it, up to the infinite one."""
        return list(zip(self._labels, np.cumsum(self._counts[thing]).tolist(), strict=True))
