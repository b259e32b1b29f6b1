"""What all groups of commands work with."""

import sys

from p4abs_switch.console.handles import Handles
from p4abs_switch.console.names import Names
from p4abs_switch.console.session import Session


class Group:
    """Commands of one kind of object."""

    def __init__(self, session: Session, handles: Handles) -> None:
        self.session = session
        self.handles = handles

    @property
    def names(self) -> Names:
        """The program's objects."""
        return self.session.names

    @staticmethod
    def say(text: str) -> None:
        """Answers the user."""
        sys.stdout.write(f"{text}\n")
