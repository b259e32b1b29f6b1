"""What the page shows beside the switches: records of their ports, and the events of the run."""

from collections import deque
from collections.abc import Callable

from p4abs.control import Samples
from p4abs.session import Message
from p4abs.telemetry.fleet import Fleet, WatchedSwitch, Watcher
from p4abs.telemetry.web.port_records import PortRecords

EVENTS = 200


class Board(Watcher):
    """The control loops' thread writes, others read."""

    def __init__(self, fleet: Fleet, now_s: Callable[[], float]) -> None:
        self.switches = fleet.switches
        self.records = {name: PortRecords(each.meter) for name, each in fleet.switches.items()}
        self.events: deque[tuple[float, str]] = deque(maxlen=EVENTS)
        self.now_s = now_s

    def sampled(self, switch: WatchedSwitch, samples: Samples) -> None:
        """The intervals that have ended in a control interval."""
        self.records[switch.name].add(samples)

    def announce(self, message: Message) -> None:
        """Something that people should know."""
        self.events.append((self.now_s(), str(message)))
