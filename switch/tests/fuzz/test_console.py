"""Whatever is typed into `p4abs cli`, it is carried out or refused in one line."""

import random
import re
from pathlib import Path

import pytest
from p4abs_switch.client import Connection
from p4abs_switch.console.session import Session
from p4abs_switch.console.shell import Shell
from p4abs_switch.testing import config, switch_in_thread

from .lines import Lines

LINES = 300
REMARKS = re.compile("register index omitted|This is a deprecated command")


@pytest.mark.parametrize("program", ["kinds", "resources"])
def test_lines_are_carried_out_or_refused_in_one_line(
    program: str,
    times: int,
    capsys: pytest.CaptureFixture[str],
    kinds_json: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)  # some of them write files
    done = 0
    with (
        switch_in_thread(config(program=kinds_json.with_stem(program)), live=False) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
    ):
        shell = Shell(session)
        lines = Lines(random.Random(program), shell, session.names.p4info)
        for _ in range(LINES * times):
            line = lines.line()
            before = shell.failures
            shell.run([line])
            failures, told = shell.failures - before, capsys.readouterr().err.splitlines()
            complaints = [text for text in told if not REMARKS.match(text)]
            assert len(complaints) == failures <= 1, (line, told)
            assert all(text.startswith("line 1: ") for text in complaints), (line, told)
            done += not failures
    assert done > LINES * times / 5
