"""Messages on standard error, as lines for people or as JSON lines for programs."""

import json
import sys
from codecs import lookup
from datetime import UTC, datetime
from enum import StrEnum

from p4abs.session import Message
from p4abs.standard_error import LEFT_OUT, StandardError


class LogFormat(StrEnum):
    """How messages are written."""

    TEXT = "text"
    JSON = "json"


class Log:
    """Writes messages to standard error; troubles are warnings. It has to be closed.

    A JSON line has `time` (UTC, ISO 8601), `level` (`info`, `warning`), `message` and, if it is
    about one, `switch`; that of a defect has its `traceback`, too.
    """

    def __init__(self, format: LogFormat) -> None:
        self._format = format
        self._output = StandardError(lambda count: line_of(_left_out(count), format))

    def __call__(self, message: Message) -> None:
        self._output.say(line_of(message, self._format))

    def close(self) -> None:
        """Waits until all messages are written, unless nobody reads them."""
        self._output.close()


def _left_out(count: int) -> Message:
    return Message(LEFT_OUT.format(count), is_trouble=True)


def line_of(message: Message, format: LogFormat) -> str:
    """The message in this format."""
    if format is LogFormat.TEXT:
        return str(message)
    fields = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "level": "warning" if message.is_trouble else "info",
        **({} if message.switch is None else {"switch": message.switch}),
        "message": message.text,
        **({"traceback": message.traceback} if message.traceback else {}),
    }
    # What another encoding lacks would be written as its code in Python, or all in that encoding.
    encoding = lookup(sys.stderr.encoding or "ascii").name
    return json.dumps(fields, ensure_ascii=encoding != "utf-8")
