"""Lines on standard error, for readers who stop and go on."""

import logging
import os
from collections.abc import Callable
from threading import Thread

import pytest
from p4abs.standard_error import MOST_WAITING, LogHandler, StandardError

LINES = 3 * MOST_WAITING


def read_late(monkeypatch: pytest.MonkeyPatch, say: Callable[[], Callable[[], None]]) -> list[str]:
    """What a reader gets who begins when all has been said; `say` returns how to close."""
    reading, writing = os.pipe()
    with os.fdopen(reading) as reader, os.fdopen(writing, "w") as stream:
        monkeypatch.setattr("sys.stderr", stream)
        close = say()
        read: list[str] = []
        reading_thread = Thread(target=lambda: read.extend(reader))
        reading_thread.start()
        close()
        stream.close()
        reading_thread.join(30)
    return read


def test_all_lines_are_written_in_order_or_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def say() -> Callable[[], None]:
        output = StandardError(lambda count: f"{count} left out")
        for number in range(LINES):
            output.say(f"{number} ".ljust(200, "x"))
        return output.close

    read = read_late(monkeypatch, say)
    said = [line.split()[0] for line in read if "left" not in line]
    assert said == [str(number) for number in range(len(said))]
    left_out = sum(int(line.split()[0]) for line in read if "left" in line)
    assert MOST_WAITING < left_out == LINES - len(said)


def test_a_handler_of_logging_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    def say() -> Callable[[], None]:
        handler, logger = LogHandler(), logging.Logger("test")
        logger.addHandler(handler)
        for _ in range(LINES):
            logger.warning("%s", 200 * "x")
        return handler.close

    assert read_late(monkeypatch, say)[-1].endswith("messages were left out\n")
