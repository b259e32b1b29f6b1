"""Controllers for busy machines, on which an answer may take longer than they usually wait for it.

`python -m controller.tests.patient` is `python -m p4abs` that waits a minute.
"""

from collections.abc import Callable
from importlib import import_module

PATIENCE_S = 60.0

_ANSWERS = (
    *("connection.ANSWER_TIMEOUT_S", "connection.BID_TIMEOUT_S", "conversation.REPLY_TIMEOUT_S"),
    *("discovery.ANSWER_TIMEOUT_S", "reading.ANSWER_TIMEOUT_S"),
    *("register_entry.EXCHANGE_TIMEOUT_S", "register_reader.EXCHANGE_TIMEOUT_S"),
)


def wait_long(replace: Callable[[object, str, object], None] = setattr) -> None:
    """Makes the controllers of this process wait long for answers."""
    for timeout in _ANSWERS:
        module, _, name = timeout.partition(".")
        replace(import_module(f"p4abs.access.{module}"), name, PATIENCE_S)
