"""The log as programs read it."""

import json
import sys

import pytest
from p4abs.service import Log, LogFormat
from p4abs.session import Message

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
