"""Ctrl-C and similar signals: the demonstration ends as after its last phase, only sooner."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(BaseException):
    """The user, or the system, has asked the demonstration to end."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.exit_status = 128 + number


@contextmanager
def interruptible() -> Iterator[None]:
    """Ending signals become Interrupted, wherever the demonstration is."""

    def interrupt(number: int, _frame: FrameType | None) -> None:
        raise Interrupted(number)

    previous = {number: signal.signal(number, interrupt) for number in ENDING_SIGNALS}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def ignore_signals() -> None:
    """A second Ctrl-C does not cut the cleaning up short."""
    for number in ENDING_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
