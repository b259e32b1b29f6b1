"""What no signal comes into the midst of."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def undivided() -> Iterator[None]:
    """Signals that Python handles come after what is done inside.

    A handler that raises would leave a process that has been started, and that nobody knows of.
    Handlers are exchanged: blocked signals would be blocked in that process, too. Only the main
    thread handles signals; in others there is nothing to do.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
    handlers = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number in handlers:
        signal.signal(number, note)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for arrived in came:
            signal.raise_signal(arrived)
