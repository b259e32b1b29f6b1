"""Messages on standard error, as lines for people or as JSON lines for programs."""

import json
import logging
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum

from p4abs.session import Message

Log = Callable[[Message], None]


class LogFormat(StrEnum):
    """How messages are written."""

    TEXT = "text"
    JSON = "json"


def make_log(format: LogFormat) -> Log:
    """Writes messages to standard error; troubles are warnings.

    A JSON line has `time` (UTC, ISO 8601), `level` (`info`, `warning`), `message` and, if it is
    about one, `switch`.
    """
    handler = logging.StreamHandler(sys.stderr)
    if format is LogFormat.JSON:
        handler.setFormatter(_JsonLines())
    logger = logging.Logger("p4abs.control", logging.INFO)
    logger.addHandler(handler)
    return lambda message: logger.log(
        logging.WARNING if message.is_trouble else logging.INFO, message
    )


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        said: Message = record.msg  # type: ignore[assignment]
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            **({} if said.switch is None else {"switch": said.switch}),
            "message": said.text,
        }
        return json.dumps(fields, ensure_ascii=False)
