"""What a controller says of its switch."""

from collections.abc import Callable, Collection

from p4abs.config import SwitchSettings, without_effect
from p4abs.session.events import Events
from p4abs.session.message import Message


class Announcer:
    """Names the switch, and its ports as the `settings` in force do."""

    def __init__(self, events: Events, settings: Callable[[], SwitchSettings]) -> None:
        self._events = events
        self._settings = settings
        self._last_trouble = ""

    def say(self, line: str, *, is_trouble: bool = False) -> None:
        settings = self._settings()
        self._events.announce(Message(settings.named(line), settings.name, is_trouble))

    def trouble(self, line: str) -> None:
        """One line that somebody should look after."""
        self.say(line, is_trouble=True)

    def trouble_once(self, line: str) -> None:
        """A trouble that may be met again and again, until it is `over`."""
        if line != self._last_trouble:
            self._last_trouble = line
            self.trouble(line)

    def over(self) -> None:
        """After this, the same trouble is reported anew."""
        self._last_trouble = ""

    def without_effect(self, said: Collection[tuple[str, str]] = ()) -> None:
        """Settings without effect that have not been reported yet."""
        for each in without_effect(self._settings()):
            if each not in said:
                self.say(": ".join(each))
