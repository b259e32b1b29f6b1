"""What the page knows of one port."""

from math import nan

from p4abs.control import Sample
from p4abs.policies import Binding
from p4abs.telemetry.web.history import History, Point

POINT_S = 1.0
_BINDINGS = {binding: index for index, binding in enumerate(Binding)}


class PortRecord:
    """Takes a port's samples in the control loop's thread and makes a point of each second.

    `last` is the newest point, `sample` the newest sample: both are replaced, never changed.
    """

    def __init__(self) -> None:
        self.last: Point | None = None
        self.sample: Sample | None = None
        self.history = History()
        self._second = _Second()

    def add(self, sample: Sample) -> None:
        """Takes the next sample of the port."""
        self.sample = sample
        self._second.add(sample)
        if self._second.duration_s >= POINT_S:
            self.last = self._second.point(sample)
            self.history.append(self.last)
            self._second = _Second()


class _Second:
    def __init__(self) -> None:
        self.duration_s = 0.0
        self._known_s = 0.0
        self._busy_s = 0.0
        self._offered_bytes = 0
        self._dropped_bytes = 0
        self._marked_bytes = nan
        self._least_bytes = nan
        self._greatest_bytes = nan
        self._delay_s = nan

    def add(self, sample: Sample) -> None:
        interval = sample.interval
        self.duration_s += interval.duration_s
        self._offered_bytes += interval.offered_bytes
        self._dropped_bytes += interval.dropped_bytes
        if sample.utilization is not None:
            self._known_s += interval.duration_s
            self._busy_s += sample.utilization * interval.duration_s
        if interval.marked_bytes is not None:
            known_bytes = self._marked_bytes if self._marked_bytes >= 0 else 0
            self._marked_bytes = known_bytes + interval.marked_bytes
        # Nothing is less than nan, and nan is not less than anything.
        least, greatest = interval.least_backlog_bytes, interval.greatest_backlog_bytes
        if least is not None and not self._least_bytes < least:
            self._least_bytes = least
        if greatest is not None and not self._greatest_bytes > greatest:
            self._greatest_bytes = greatest
        if sample.queue_delay_s is not None and not self._delay_s > sample.queue_delay_s:
            self._delay_s = sample.queue_delay_s

    def point(self, sample: Sample) -> Point:
        """The second as it was, and what holds after its last sample."""
        offered_bytes = self._offered_bytes or 1
        return Point(
            time_s=sample.time_s,
            utilization=self._busy_s / self._known_s if self._known_s else nan,
            loss=self._dropped_bytes / offered_bytes,
            marked_share=self._marked_bytes / offered_bytes,
            limit_bytes=sample.decided_limit_bytes,
            least_backlog_bytes=self._least_bytes,
            greatest_backlog_bytes=self._greatest_bytes,
            queue_delay_s=self._delay_s,
            capacity_bps=sample.measured_capacity_bps or nan,
            binding=_BINDINGS[sample.binding],
            unreachable=float(bool(sample.unreachable)),
        )
