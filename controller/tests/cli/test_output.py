"""Standard streams that take nothing, or that are not there."""

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest
from p4abs.cli.control import _view
from p4abs.service import LogFormat
from p4abs.telemetry import PlainView
from p4abs.telemetry.listing import EVERYTHING

COMMANDS = {"help": ("--help",), "help of a command": ("control", "--help")}
P4ABS = (sys.executable, "-m", "p4abs")


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_full_disk_under_standard_output_is_one_line(arguments) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [*P4ABS, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (ended.returncode, ended.stderr) == (
        1,
        "p4abs: standard output: No space left on device\n",
    )


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
@pytest.mark.parametrize(
    ("arguments", "status"), [(["--version"], 0), (["control", "--port", "x"], 2)]
)
def test_streams_that_are_closed_at_the_start_change_nothing(
    closed: str, arguments: list[str], status: int
) -> None:
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", *P4ABS, *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == status
    assert ended.stderr.count("\n") == (status == 2 and closed != "2>&-")


def test_what_the_outputs_encoding_does_not_have_is_no_traceback(tmp_path) -> None:
    path = tmp_path / "abs.toml"
    path.write_text('[switch]\nname = "\u26a1"\ngrpc-addr = "127.0.0.1:1"\n[[port]]\nnumber = 2\n')
    ended = subprocess.run(
        [*P4ABS, "check", str(path)],
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (1, "")
    assert ended.stdout.startswith("\\u26a1: no answer")


def test_an_interrupt_around_a_command_is_no_traceback() -> None:
    interrupted = """
from p4abs import standard_streams
from p4abs.__main__ import main
def prepare():
    raise KeyboardInterrupt
standard_streams.prepare = prepare
main()
"""
    command = [sys.executable, "-c", interrupted]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (130, "")


@pytest.mark.parametrize(
    ("kind", "has_lines"), [("dumb", True), ("unknown", True), ("vt100", False)]
)
def test_a_terminal_that_cannot_redraw_gets_lines(kind: str, has_lines: bool, monkeypatch) -> None:
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr("p4abs.telemetry.live.LiveView", Mock())
    monkeypatch.setenv("TERM", kind)
    shown = _view(EVERYTHING, False, LogFormat.TEXT, Mock())
    assert isinstance(shown, PlainView) == has_lines
