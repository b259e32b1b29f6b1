"""What a switch, its control loop and its ports did since the controller was started."""

import numpy as np

from p4abs.control import Samples
from p4abs.telemetry.fleet import WatchedSwitch
from p4abs.telemetry.metrics.histogram import Histograms

# In drain times of a full queue, to fit links of any rate; with ECN twice as much may stand.
_DELAY_BOUNDS = (0.01, 0.03, *(tenth / 10 for tenth in range(1, 11)), 1.5, 2.0)
_LATENESS_BOUNDS_S = (0.0001, 0.0003, 0.001, 0.002, 0.005, 0.01, 0.03, 0.1, 0.3, 1.0)
_EXCHANGE_BOUNDS_S = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
_THE_SWITCH = np.zeros(1, np.intp)


class SwitchTotals:
    """The switch, whose meter has its ports' sums, and what is counted for metrics alone.

    A restart of the data plane does not matter here, because samples hold counts of their
    intervals.
    """

    def __init__(self, switch: WatchedSwitch) -> None:
        self.switch = switch
        self.queue_delay = Histograms(_DELAY_BOUNDS, len(switch.meters))
        self.lateness_s = Histograms(_LATENESS_BOUNDS_S, 1)
        self.exchange_s = Histograms(_EXCHANGE_BOUNDS_S, 1)

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
