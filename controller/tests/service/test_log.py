"""The log as programs read it, and readers who stop and go on."""

import json
import os
import re
import sys
from threading import Thread

import pytest
from p4abs.service import Log, LogFormat
from p4abs.service.log import MAX_WAITING
from p4abs.session import Message

LINES = 3 * MAX_WAITING
PATIENCE_S = 60.0
_COUNTED = re.compile(r"standard error: not read fast enough, (\d+) messages were left out")

NAMES = ["leaf-1", 'l"e\\a{f}', "é", "ü😀", "[fd00::1]:9559", "%s"]


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1", "cp1252", "utf8"])
def test_every_line_is_json_whatever_the_encoding_of_standard_error(
    monkeypatch, tmp_path, encoding
) -> None:
    path = tmp_path / "log"
    with path.open("w", encoding=encoding, errors="backslashreplace") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        log = Log(LogFormat.JSON)
        for name in NAMES:
            log(Message(f"{name} says", name, is_trouble=True))
        log.close()
    lines = [json.loads(line.decode("utf-8")) for line in path.read_bytes().splitlines()]
    assert [line["switch"] for line in lines] == NAMES
    assert [line["message"] for line in lines] == [f"{name} says" for name in NAMES]
    assert ("é" in path.read_bytes().decode()) == encoding.startswith("utf")


def test_all_lines_are_written_in_order_or_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p4abs.service.log._PATIENCE_S", PATIENCE_S)
    reading, writing = os.pipe()
    with os.fdopen(reading) as reader, os.fdopen(writing, "w") as stream:
        monkeypatch.setattr("sys.stderr", stream)
        log = Log(LogFormat.TEXT)
        for number in range(LINES):
            log(Message(f"{number} ".ljust(200, "x")))
        read: list[str] = []
        reading_thread = Thread(target=lambda: read.extend(reader))
        reading_thread.start()
        log.close()
        stream.close()
        reading_thread.join(PATIENCE_S)
    counts = [_COUNTED.match(line) for line in read]
    said = [int(line.split()[0]) for line, count in zip(read, counts, strict=True) if not count]
    assert said == sorted(set(said))
    assert MAX_WAITING < sum(int(count[1]) for count in counts if count) == LINES - len(said)


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
    monkeypatch.setattr("p4abs.service.log.Background", lambda *_: reader)
    log = Log(LogFormat.TEXT)
    for line, reader.is_still in zip("abcdefg", map(bool, (0, 1, 1, 0, 0, 1, 0)), strict=True):
        log(Message(line))
    counted = [count[1] if (count := _COUNTED.match(line)) else line for line in reader.taken]
    assert counted == ["a", "2", "d", "e", "1", "g"]
