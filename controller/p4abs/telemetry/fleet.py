"""All switches of a run with the latest that is known of them: what views and metrics read."""

import time
from collections.abc import Callable, Collection, Iterable, Mapping

from p4abs.agreements import Terms
from p4abs.columns import Positions
from p4abs.config import SwitchSettings
from p4abs.control import Samples, Stall
from p4abs.defects import Defect
from p4abs.session import Events, Message, SwitchController, SwitchState, begun_ports
from p4abs.states import PortState
from p4abs.telemetry.configuration import Configuration
from p4abs.telemetry.port_meter import PortMeter, SwitchMeter
from p4abs.telemetry.port_states import SwitchStates, messages

MIN_STEP_S = 1.0


class Watcher:
    """Follows a run. Its methods are called from the control loops and should return quickly."""

    def follow(self, switches: Mapping[str, "WatchedSwitch"]) -> None:
        """These are the switches of the run, by name, from now on."""

    def begun(self, switch: "WatchedSwitch", ports: Positions) -> None:
        """Forgets the figures of these ports, by their positions in the switch's meter."""

    def announce(self, message: Message) -> None:
        """Something that people should know."""

    def sampled(self, switch: "WatchedSwitch", samples: Samples) -> None:
        """The intervals that have ended in a control interval; the switch's meter has them."""

    def tick(self, switch: "WatchedSwitch") -> None:
        """The work of a switch's control interval is done."""


class Watchers(list[Watcher]):
    """The watchers of a run. An exception of one of them is reported once for each place, and does
    not affect the others."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[tuple[str, str]] = set()

    def tell(self, what: Callable[[Watcher], None]) -> None:
        for watcher in self:
            try:
                what(watcher)
            except Exception as defect:
                self.report_defect(defect, type(watcher).__name__)

    def report_defect(self, defect: Exception, who: str) -> None:
        """Reports an exception that was raised outside of the control loop."""
        place = who, Defect.of(defect).origin
        if place not in self._said:
            self._said.add(place)
            consequence = f"{who} may show something wrong; control goes on; please report it"
            self.tell(lambda watcher: watcher.announce(Message.of_defect(defect, consequence)))


class WatchedSwitch:
    """One switch: what is asked of it, its controller, a meter for each port."""

    def __init__(
        self,
        settings: SwitchSettings,
        make_controller: Callable[[Events], SwitchController],
        watchers: Watchers,
        now_s: Callable[[], float],
    ) -> None:
        self.meter = SwitchMeter(_terms(settings))
        self.states = SwitchStates(settings.port, self.meter)
        self._now_s = now_s
        self._watchers = watchers
        self._is_shown = True
        self.controller = make_controller(self)

    @property
    def name(self) -> str:
        """Tells the switches of a run apart."""
        return self.settings.name

    @property
    def settings(self) -> SwitchSettings:
        """The settings in force."""
        return self.controller.settings

    @property
    def is_in_control(self) -> bool:
        """Whether this run's controller is the switch's primary."""
        return self.controller.state.is_primary

    @property
    def is_known(self) -> bool:
        """Whether the last samples are current: no other controller has the switch."""
        return self.controller.state is not SwitchState.BACKUP

    @property
    def meters(self) -> Mapping[int, PortMeter]:
        """The ports' meters by number; those that have left are still there."""
        return self.meter.ports

    def state(self, port: int) -> PortState:
        """A port's state, by its number."""
        meter = self.meter.ports[port]
        if self.is_known and meter.agreements.broken:
            return PortState.AGREEMENT_BROKEN
        if not self.is_in_control:
            return PortState.NOT_CONTROLLED
        if port in self._released:
            return PortState.HELD_BY_SAFE_LIMIT
        return self.states.state(meter.position)

    @property
    def _released(self) -> Collection[int]:
        return self.controller.releases.limits.keys()

    @property
    def stalls(self) -> Mapping[int, Stall]:
        """The ports none of whose intervals ends, and why."""
        loop = self.controller.loop
        return {} if loop is None or not self.is_in_control else loop.stalls.ports

    def reason(self, port: int) -> str:
        """Why a port is in its state; empty: there is nothing to add."""
        position = self.meter.ports[port].position
        judged = self.states.state(position)
        return self.states.reason(position) if self.state(port) is judged else ""

    def adopt(self, settings: SwitchSettings) -> None:
        """Puts other settings in force, see SwitchController."""
        settings = self.controller.adoptable(settings)
        begun = self.meter.adopt(_terms(settings), begun_ports(self.settings, settings))
        self.states.adopt(settings.port, begun)
        if len(begun):
            self._watchers.tell(lambda watcher: watcher.begun(self, begun))
        # Set last, so that readers who look for the present ports find all of them.
        self.controller.adopt(settings)

    def retire(self) -> None:
        """The switch has left the run: only its messages are passed on."""
        self._is_shown = False

    def announce(self, message: Message) -> None:
        self._watchers.tell(lambda watcher: watcher.announce(message))

    def sampled(self, samples: Samples) -> None:
        if not self._is_shown:
            return
        try:
            for line in self.meter.add(samples):
                self.announce(Message(self.settings.named(line), self.name, is_trouble=True))
            self.states.add(samples)
        except Exception as defect:
            self._watchers.report_defect(defect, f"what is measured of {self.name}")
        self._watchers.tell(lambda watcher: watcher.sampled(self, samples))

    def tick(self) -> None:
        if not self._is_shown:
            return
        try:
            for message in messages(self.name, self.states.judge(self._now_s(), self._released)):
                self.announce(message)
            for line in self.states.take_lines():
                self.announce(Message(line, self.name, is_trouble=True))
        except Exception as defect:
            self._watchers.report_defect(defect, f"the states of {self.name}'s ports")
        self._watchers.tell(lambda watcher: watcher.tick(self))


class Fleet:
    """The switches by name, in the order in which they are configured, and who follows them.

    Watchers are added before control begins.
    `now_s` are seconds since the Unix epoch by the clock that samples have: the machine's own may
    be set anew meanwhile, see `stepped_s`.
    """

    def __init__(self, now_s: Callable[[], float] = time.time) -> None:
        self.now_s = now_s
        self._stepped_s = 0.0
        self.configuration = Configuration()
        self.switches: Mapping[str, WatchedSwitch] = {}
        """Replaced, never changed."""
        self.watchers = Watchers()

    @property
    def stepped_s(self) -> float:
        """By how much the machine's clock has been set forward since control began, or has stood
        still for `now_s` while the machine was suspended. Less than a second is no step."""
        ahead_s = time.time() - self.now_s()
        if abs(ahead_s - self._stepped_s) >= MIN_STEP_S:
            self._stepped_s = ahead_s
        return self._stepped_s

    def make(
        self, settings: SwitchSettings, make_controller: Callable[[Events], SwitchController]
    ) -> WatchedSwitch:
        """A switch, whose controller is made with what it has to tell its events to."""
        return WatchedSwitch(settings, make_controller, self.watchers, lambda: self.now_s())

    def add(self, switch: WatchedSwitch) -> None:
        self.show([*self.switches.values(), switch])

    def show(self, switches: Iterable[WatchedSwitch]) -> None:
        """These are the switches from now on."""
        before, self.switches = self.switches, {switch.name: switch for switch in switches}
        for name, switch in before.items():
            if self.switches.get(name) is not switch:
                switch.retire()
        self.watchers.tell(lambda watcher: watcher.follow(self.switches))

    def announce(self, message: Message) -> None:
        self.watchers.tell(lambda watcher: watcher.announce(message))


def _terms(settings: SwitchSettings) -> dict[int, tuple[Terms, ...]]:
    """What was agreed on each port."""
    return {port.index: port.terms() for port in settings.port}
