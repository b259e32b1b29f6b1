"""Messages on standard error, as lines for people or as JSON lines for programs."""

import json
import os
import sys
from codecs import lookup
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum

from p4abs.background import Background
from p4abs.session import Message

MAX_WAITING = 1000
"""The most lines that wait for a stopped reader."""

# The time that a stopped reader has at the end.
_PATIENCE_S = 5.0


class LogFormat(StrEnum):
    """How messages are written."""

    TEXT = "text"
    JSON = "json"


class Log:
    """Writes messages to standard error, in a thread of its own; troubles are warnings.

    Takes them from one thread at a time, and counts those that find MAX_WAITING others. A JSON
    line has `time` (UTC, ISO 8601), `level` (`info`, `warning`), `message` and, if it is about one,
    `switch`; that of a defect has its `traceback`, too.
    """

    def __init__(self, format: LogFormat) -> None:
        self._format = format
        self._left_out = 0
        self._background = Background(_write, MAX_WAITING, self._finish)

    def __call__(self, message: Message) -> None:
        """Returns at once."""
        if self._left_out and self._background.offer(self._line_about_left_out()):
            self._left_out = 0
        if self._left_out or not self._background.offer(line_of(message, self._format)):
            self._left_out += 1

    def close(self) -> None:
        """Waits until all messages are written, unless nobody reads them. It is the last call."""
        self._background.close(_PATIENCE_S)

    def _finish(self) -> None:
        if self._left_out:
            _write(self._line_about_left_out())

    def _line_about_left_out(self) -> str:
        text = f"standard error: not read fast enough, {self._left_out} messages were left out"
        return line_of(Message(text, is_trouble=True), self._format)


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


def _write(line: str) -> None:
    # Python's own stream is not used: the process would abort at its end if a thread waits in it.
    with suppress(OSError):
        descriptor = sys.stderr.fileno()
        rest = f"{line}\n".encode(sys.stderr.encoding, errors="backslashreplace")
        while rest:
            rest = rest[os.write(descriptor, rest) :]
