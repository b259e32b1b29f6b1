"""Python's log on standard error, for readers who stop and go on."""

import logging
import os
from threading import Thread
from threading import enumerate as threads

import pytest
from p4abs_switch.command_line.log_handler import MAX_WAITING, LogHandler

from .controller import PATIENCE_S

LINES = 3 * MAX_WAITING


def test_one_that_nobody_uses_has_no_thread() -> None:
    before = set(threads())
    handler = LogHandler()
    assert set(threads()) <= before
    handler.close()


def test_it_keeps_nobody_waiting_and_all_lines_are_written_in_order_or_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("p4abs_switch.command_line.log_handler._PATIENCE_S", PATIENCE_S)
    reading, writing = os.pipe()
    read: list[str] = []
    with os.fdopen(reading) as reader, os.fdopen(writing, "w") as stream:
        monkeypatch.setattr("sys.stderr", stream)
        handler, logger = LogHandler(), logging.Logger("test")
        logger.addHandler(handler)
        for number in range(LINES):
            logger.warning("%s", f"{number} ".ljust(200, "x"))
        thread = Thread(target=lambda: read.extend(reader))
        thread.start()
        handler.close()
        stream.close()
        thread.join(PATIENCE_S)
    said = [int(line.split()[0]) for line in read if "left out" not in line]
    assert said == sorted(set(said))
    told = [int(line.split()[-5]) for line in read if "left out" in line]
    assert MAX_WAITING < sum(told) == LINES - len(said)
