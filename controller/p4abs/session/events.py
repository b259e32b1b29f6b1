"""What a switch's controller tells whoever watches it."""

from typing import Protocol

from p4abs.control import Sample
from p4abs.session.message import Message


class Events(Protocol):
    """The receiver. Its methods are called from the control loop and should return quickly."""

    def announce(self, message: Message) -> None:
        """Something that people should know."""

    def sample(self, sample: Sample) -> None:
        """One port's interval."""

    def tick(self) -> None:
        """The work of a control interval is done."""
