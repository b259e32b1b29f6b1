"""How often values were how large."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate


class Histogram:
    """Values counted by ascending upper bounds, which belong to their buckets.

    One thread adds while another reads; the sum may then be of one value more than the counts.
    """

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._labels = [*(repr(float(bound)) for bound in bounds), "+Inf"]
        self.sum = 0.0

    def add(self, value: float) -> None:
        """Counts one value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self.sum += value

    def buckets(self) -> list[tuple[str, float]]:
        """The values up to each bound, as OpenMetrics writes it, up to the infinite one."""
        return list(zip(self._labels, accumulate(self._counts.copy()), strict=True))
