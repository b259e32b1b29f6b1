"""What the page shows beside the switches: records of their ports, and the events of the run."""

from collections import deque
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from p4abs.columns import Floats, Ints, Positions
from p4abs.control import Samples
from p4abs.measurements import COUNTERS
from p4abs.session import Message
from p4abs.telemetry.fleet import Fleet, WatchedSwitch, Watcher
from p4abs.telemetry.port_meter import SwitchMeter
from p4abs.telemetry.port_states import SwitchStates
from p4abs.telemetry.sums import Sums, no_sums
from p4abs.telemetry.web.history import History, Point

POINT_S = 1.0

EVENTS = 200


class PortRecords:
    """Follows a switch's meter in the control loop's thread; makes a point of each port's second.

    A second's sums are what the meter's totals have gained in it.
    """

    def __init__(self, meter: SwitchMeter, states: SwitchStates) -> None:
        count = meter.totals.shape[1]
        self.history = History(count)
        self._meter = meter
        self._states = states
        self._begun = no_sums(count)
        self._duration_s = np.zeros(count)
        # The least and the greatest backlog, and the longest delay.
        self._extremes = np.full((3, count), np.nan)

    def begin(self, ports: Positions) -> None:
        """These ports, of which some may be new to the meter, begin anew."""
        more = self._meter.totals.shape[1] - len(self._duration_s)
        self._begun = np.pad(self._begun, ((0, 0), (0, more)))
        self._extremes = np.pad(self._extremes, ((0, 0), (0, more)))
        self._duration_s = np.pad(self._duration_s, (0, more))
        self.history.begin(ports)
        self._begin(ports)

    def add(self, samples: Samples) -> None:
        """Takes samples that the meter has taken."""
        ports, intervals = self._meter.positions(samples), samples.steps.intervals
        minimum, maximum = _known(intervals.least_backlog_bytes, intervals.greatest_backlog_bytes)
        least, greatest, delay_s = self._extremes
        least[ports] = np.fmin(least[ports], minimum)
        greatest[ports] = np.fmax(greatest[ports], maximum)
        delay_s[ports] = np.fmax(delay_s[ports], samples.queue_delay_s)
        self._duration_s[ports] += intervals.duration_s
        rows = np.flatnonzero(self._duration_s[ports] >= POINT_S)
        if len(rows):
            self.history.append(ports[rows], self._points(samples, rows, ports[rows]))
            self._begin(ports[rows])

    def _begin(self, ports: Positions) -> None:
        self._begun[:, ports] = self._meter.totals[:, ports]
        self._duration_s[ports] = 0.0
        self._extremes[:, ports] = np.nan

    def _points(self, samples: Samples, rows: Positions, ports: Positions) -> Point:
        """The seconds so far, and the values after their last samples."""
        second = Sums.of([*(self._meter.totals[:, ports] - self._begun[:, ports])])
        steps = samples.steps
        least_bytes, greatest_bytes, delay_s = self._extremes[:, ports]
        return Point(
            time_s=samples.time_s,
            offered_bps=8 * second.offered_bytes / second.duration_s,
            utilization=second.busy_s / _nonzero(second.known_s),
            loss=second.loss,
            round_trip_s=second.round_trip_s,
            limit_bytes=steps.decisions.limit_bytes[rows],
            queue_delay_s=delay_s,
            capacity_bps=steps.measured_capacity_bps[rows],
            binding=steps.decisions.binding[rows],
            state=self._states.states[ports],
            least_backlog_bytes=least_bytes,
            greatest_backlog_bytes=greatest_bytes,
            **{each.share: second.share(each) for each in COUNTERS if each.share},
            **{each.mean: second.mean(each) for each in COUNTERS if each.mean},
        )


def _known(*backlogs: Ints) -> list[NDArray[np.float64]]:
    return [np.where(bytes_ >= 0, bytes_, np.nan) for bytes_ in backlogs]


def _nonzero(values: Floats) -> Floats:
    return np.where(values > 0, values, np.nan)


class Board(Watcher):
    """The control loops' thread writes, others read."""

    def __init__(self, fleet: Fleet, now_s: Callable[[], float]) -> None:
        self.switches: Mapping[str, tuple[WatchedSwitch, PortRecords]] = {}
        """By name; replaced, never changed."""
        self.events: deque[tuple[float, str]] = deque(maxlen=EVENTS)
        self.now_s = now_s
        self.follow(fleet.switches)

    def follow(self, switches: Mapping[str, WatchedSwitch]) -> None:
        known = dict(self.switches.values())
        self.switches = {
            name: (switch, known.get(switch) or PortRecords(switch.meter, switch.states))
            for name, switch in switches.items()
        }

    def begun(self, switch: WatchedSwitch, ports: Positions) -> None:
        """What is recorded of these ports begins anew."""
        self.switches[switch.name][1].begin(ports)

    def sampled(self, switch: WatchedSwitch, samples: Samples) -> None:
        self.switches[switch.name][1].add(samples)

    def announce(self, message: Message) -> None:
        self.events.append((self.now_s(), str(message)))
