"""What a port did since the controller was started."""

from p4abs.control import Sample
from p4abs.telemetry.metrics.histogram import Histogram

_DELAY_BOUNDS_S = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)


class PortTotals:
    """Sums of a port's samples, which never fall, and the last of them.

    None: not measured so far. A data plane that has started anew is no matter here, as samples
    hold what was counted in their intervals.
    """

    def __init__(self) -> None:
        self.last: Sample | None = None
        self.sampled_s = 0.0
        self.admitted_bytes = 0
        self.dropped_bytes = 0
        self.departed_bytes = 0
        self.marked_bytes: int | None = None
        self.idle_s: float | None = None
        self.queue_delay_s = Histogram(_DELAY_BOUNDS_S)

    def add(self, sample: Sample) -> None:
        """Takes the next sample of the port."""
        interval = sample.interval
        self.sampled_s += interval.duration_s
        self.admitted_bytes += interval.admitted_bytes
        self.dropped_bytes += interval.dropped_bytes
        self.departed_bytes += interval.departed_bytes
        if interval.marked_bytes is not None:
            self.marked_bytes = (self.marked_bytes or 0) + interval.marked_bytes
        if interval.idle_s is not None:
            self.idle_s = (self.idle_s or 0.0) + interval.idle_s
        if sample.queue_delay_s is not None:
            self.queue_delay_s.add(sample.queue_delay_s)
        self.last = sample
