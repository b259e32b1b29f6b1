"""The events of a switch's controller."""

from typing import Protocol

from p4abs.control import Samples
from p4abs.session.message import Message


class Events(Protocol):
    """The receiver. Its methods are called from the control loop and should return quickly."""

    def announce(self, message: Message) -> None:
        """Something that people should know."""

    def sampled(self, samples: Samples) -> None:
        """The ports' intervals that have ended in a control interval."""

    def tick(self) -> None:
        """The work of a control interval is done."""
