"""Whatever is typed into `p4abs cli`, it is carried out or refused in one line."""

import random
from pathlib import Path

import pytest
from p4abs.access.connection import Connection
from p4abs.console import Session, Shell
from p4abs_switch.testing import config, switch_in_thread

from .lines import Lines

LINES = 300
REMARK = "register index omitted, reading entire array"


@pytest.mark.parametrize("program", ["kinds", "resources"])
def test_lines_are_carried_out_or_refused_in_one_line(
    program: str, times: int, capsys: pytest.CaptureFixture[str], kinds_json: Path
) -> None:
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
            complaints = [text for text in told if text.startswith("line 1: ")]
            assert len(complaints) == failures <= 1, (line, told)
            assert set(told) <= {*complaints, REMARK}, (line, told)
            done += not failures
    assert done > LINES * times / 5
