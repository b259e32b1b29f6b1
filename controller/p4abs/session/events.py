"""Events of a switch under control: its state, and messages for people."""

from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, Self

from p4abs.config import SwitchSettings, without_effect
from p4abs.control import Samples
from p4abs.defects import Defect
from p4abs.queues import port_text
from p4abs.units import format_size

# Of more ports than these a message says the least and the greatest limit.
MAX_LISTED = 16


@dataclass(frozen=True)
class Message:
    """One line, about a switch by its name or about the run as a whole.

    `traceback` is that of a defect in p4abs; empty: there is none.
    """

    text: str
    switch: str | None = None
    is_trouble: bool = False
    traceback: str = ""

    @classmethod
    def of_defect(
        cls, error: BaseException, consequence: str, switch: str | None = None, what: str = ""
    ) -> Self:
        """About an exception that nobody expected; `what` had been asked for."""
        defect = Defect.of(error)
        return cls(f"{what}{defect.text}; {consequence}", switch, True, defect.traceback)

    def __str__(self) -> str:
        return self.text if self.switch is None else f"{self.switch}: {self.text}"


def limit_text(limit_bytes: float) -> str:
    """A queue limit; 0 is none, as the P4 program has it."""
    return format_size(limit_bytes) if limit_bytes else "none"


def limits_text(limits: Mapping[int, int]) -> str:
    """Queue limits by port; of many ports, the least and the greatest, or the one that all have."""
    if len(limits) > MAX_LISTED:
        lowest, highest = (limit_text(of(limits.values())) for of in (min, max))
        return f"{len(limits)} ports {lowest}" + (f" to {highest}" if highest != lowest else "")
    return ", ".join(f"{port_text(port)} {limit_text(limit)}" for port, limit in limits.items())


class SwitchState(StrEnum):
    """Shown to people as it is."""

    CONNECTING = "connecting"
    """The controller has not reached the switch yet. It keeps trying."""
    BACKUP = "backup, another controller is primary"
    """Another controller is the switch's primary. This one takes over if the other one fails."""
    CONTROLLING = "in control"
    """This controller is the switch's primary and sets the limits."""
    OBSERVING = "observing"
    """This controller is the switch's primary. It decides on limits, but writes none: all ports
    have `mode = "observe"`."""
    LOST = "lost, reconnecting"
    """The switch has answered before, but does not answer now. The controller keeps trying."""
    STOPPED = "stopped"
    """Control of this switch has ended."""

    @property
    def is_primary(self) -> bool:
        """Whether this controller is the switch's primary."""
        return self in (SwitchState.CONTROLLING, SwitchState.OBSERVING)


class Events(Protocol):
    """The receiver. Its methods are called from the control loop and should return quickly."""

    def announce(self, message: Message) -> None:
        """Something that people should know."""

    def sampled(self, samples: Samples) -> None:
        """The ports' intervals that have ended in a control interval."""

    def tick(self) -> None:
        """The work of a control interval is done."""


class Announcer:
    """Names the switch, and its ports as the `settings` in force do."""

    def __init__(self, events: Events, settings: Callable[[], SwitchSettings]) -> None:
        self._events = events
        self._settings = settings
        # Several, so that troubles that take turns are told once each.
        self._told: deque[str] = deque(maxlen=8)

    def say(self, line: str, *, is_trouble: bool = False) -> None:
        settings = self._settings()
        self._events.announce(Message(settings.named(line), settings.name, is_trouble))

    def trouble(self, line: str) -> None:
        """Reports a problem in one line."""
        self.say(line, is_trouble=True)

    def trouble_once(self, line: str) -> None:
        """Reports a problem once, until over() is called for it."""
        if line not in self._told:
            self._told.append(line)
            self.trouble(line)

    def over(self) -> None:
        """The problem is gone: trouble_once() reports it the next time."""
        self._told.clear()

    def without_effect(self, said: Collection[tuple[str, str]] = ()) -> None:
        """Reports settings without effect that have not been reported yet."""
        for each in without_effect(self._settings()):
            if each not in said:
                self.say(": ".join(each))
