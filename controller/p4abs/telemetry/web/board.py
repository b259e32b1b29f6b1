"""What the page shows beside the switches: records of their ports, and the events of the run."""

from collections import deque
from collections.abc import Callable, Mapping

from p4abs.columns import Positions
from p4abs.control import Samples
from p4abs.session import Message
from p4abs.telemetry.fleet import Fleet, WatchedSwitch, Watcher
from p4abs.telemetry.web.port_records import PortRecords

EVENTS = 200


class Board(Watcher):
    """The control loops' thread writes, others read."""

    def __init__(self, fleet: Fleet, now_s: Callable[[], float]) -> None:
        self.switches: Mapping[str, tuple[WatchedSwitch, PortRecords]] = {}
        """By name; replaced, never changed."""
        self.events: deque[tuple[float, str]] = deque(maxlen=EVENTS)
        self.now_s = now_s
        self.follow(fleet.switches)

    def follow(self, switches: Mapping[str, WatchedSwitch]) -> None:
        """These are the switches of the run, by name, from now on."""
        known = dict(self.switches.values())
        self.switches = {
            name: (switch, known.get(switch) or PortRecords(switch.meter, switch.states))
            for name, switch in switches.items()
        }

    def begun(self, switch: WatchedSwitch, ports: Positions) -> None:
        """What is recorded of these ports begins anew."""
        self.switches[switch.name][1].begin(ports)

    def sampled(self, switch: WatchedSwitch, samples: Samples) -> None:
        """The intervals that have ended in a control interval."""
        self.switches[switch.name][1].add(samples)

    def announce(self, message: Message) -> None:
        """Something that people should know."""
        self.events.append((self.now_s(), str(message)))
