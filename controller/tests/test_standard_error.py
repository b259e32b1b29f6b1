"""Lines on standard error, for readers who stop and go on."""

import os
from collections.abc import Callable
from threading import Thread

import pytest
from p4abs.standard_error import MOST_WAITING, StandardError

LINES = 3 * MOST_WAITING
PATIENCE_S = 60.0


def read_late(monkeypatch: pytest.MonkeyPatch, say: Callable[[], Callable[[], None]]) -> list[str]:
    """What a reader gets who begins when all has been said; `say` returns how to close."""
    monkeypatch.setattr("p4abs.standard_error._PATIENCE_S", PATIENCE_S)
    reading, writing = os.pipe()
    with os.fdopen(reading) as reader, os.fdopen(writing, "w") as stream:
        monkeypatch.setattr("sys.stderr", stream)
        close = say()
        read: list[str] = []
        reading_thread = Thread(target=lambda: read.extend(reader))
        reading_thread.start()
        close()
        stream.close()
        reading_thread.join(PATIENCE_S)
    return read


def test_all_lines_are_written_in_order_or_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def say() -> Callable[[], None]:
        output = StandardError(lambda count: f"{count} left out")
        for number in range(LINES):
            output.say(f"{number} ".ljust(200, "x"))
        return output.close

    read = read_late(monkeypatch, say)
    said = [int(line.split()[0]) for line in read if "left" not in line]
    assert said == sorted(set(said))
    left_out = sum(int(line.split()[0]) for line in read if "left" in line)
    assert MOST_WAITING < left_out == LINES - len(said)


class Reader:
    """In the place of the thread that writes: takes a line, or stands still."""

    def __init__(self) -> None:
        self.is_still = False
        self.taken: list[str] = []

    def offer(self, line: str) -> bool:
        if not self.is_still:
            self.taken.append(line)
        return not self.is_still


def test_what_was_left_out_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader()
    monkeypatch.setattr("p4abs.standard_error.Background", lambda *_: reader)
    output = StandardError(lambda count: f"{count} left out")
    for line, reader.is_still in zip("abcdefg", map(bool, (0, 1, 1, 0, 0, 1, 0)), strict=True):
        output.say(line)
    assert reader.taken == ["a", "2 left out", "d", "e", "1 left out", "g"]
