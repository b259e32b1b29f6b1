"""What is counted of a switch for metrics alone: histograms, as OpenMetrics has them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from p4abs.columns import Positions
from p4abs.control import Samples
from p4abs.telemetry.fleet import WatchedSwitch


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
        """Sets the counts of these things to zero; some of them may be new."""
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


# In drain times of a full queue, to fit links of any rate; with ECN twice as much may stand.
DELAY_BOUNDS = (0.01, 0.03, *(tenth / 10 for tenth in range(1, 11)), 1.5, 2.0)
LATENESS_BOUNDS_S = (0.0001, 0.0003, 0.001, 0.002, 0.005, 0.01, 0.03, 0.1, 0.3, 1.0)
EXCHANGE_BOUNDS_S = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
_THE_SWITCH = np.zeros(1, np.intp)


class SwitchTotals:
    """The switch, whose meter has its ports' sums, and what is counted for metrics alone.

    A restart of the data plane does not matter here, because samples hold counts of their
    intervals.
    """

    def __init__(self, switch: WatchedSwitch) -> None:
        self.switch = switch
        self.queue_delay = Histograms(DELAY_BOUNDS, len(switch.meters))
        self.lateness_s = Histograms(LATENESS_BOUNDS_S, 1)
        self.exchange_s = Histograms(EXCHANGE_BOUNDS_S, 1)

    def add(self, samples: Samples) -> None:
        """The intervals that have ended in a control interval."""
        limit_bytes = samples.steps.limit_bytes
        delay = samples.steps.occupancy_bytes / np.where(limit_bytes > 0, limit_bytes, np.nan)
        self.queue_delay.add(self.switch.meter.positions(samples), delay)
        self.exchange_s.add(_THE_SWITCH, np.array([samples.exchange_s]))

    def tick(self) -> None:
        """The work of a control interval is done."""
        loop = self.switch.controller.loop
        if loop is not None:
            self.lateness_s.add(_THE_SWITCH, np.array(loop.statistics.lateness_s.last(1)))
