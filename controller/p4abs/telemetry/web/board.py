"""What the page shows beside the switches: a record of each port, and the events of the run."""

from collections import deque
from collections.abc import Callable

from p4abs.control import Sample
from p4abs.session import Message
from p4abs.telemetry.fleet import Fleet, WatchedSwitch, Watcher
from p4abs.telemetry.web.port_record import PortRecord

EVENTS = 200


class Board(Watcher):
    """The control loops' thread writes, others read."""

    def __init__(self, fleet: Fleet, now_s: Callable[[], float]) -> None:
        self.switches = fleet.switches
        self.records = {
            name: {port.number: PortRecord() for port in switch.settings.port}
            for name, switch in fleet.switches.items()
        }
        self.events: deque[tuple[float, str]] = deque(maxlen=EVENTS)
        self.now_s = now_s

    def sample(self, switch: WatchedSwitch, sample: Sample) -> None:
        """One port's interval."""
        self.records[switch.name][sample.port].add(sample)

    def announce(self, message: Message) -> None:
        """Something that people should know."""
        self.events.append((self.now_s(), str(message)))
