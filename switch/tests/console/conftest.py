"""A session with the embedded switch, in virtual time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from p4abs_switch.client import Connection
from p4abs_switch.console.session import Session
from p4abs_switch.console.shell import Shell
from p4abs_switch.testing import config, switch_in_thread

PROGRAMS = Path(__file__).parents[3] / "switch" / "tests" / "programs"

Say = Callable[[str], tuple[list[str], list[str]]]


@contextmanager
def _session(program: str, capsys: pytest.CaptureFixture[str]) -> Iterator[Say]:
    """Says commands, one a line; returns the lines of the answers and of the complaints."""
    with (
        switch_in_thread(config(program=PROGRAMS / f"{program}.json"), live=False) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
    ):
        shell = Shell(session)

        def say(commands: str) -> tuple[list[str], list[str]]:
            shell.run(commands.splitlines())
            answers, complaints = capsys.readouterr()
            return answers.splitlines(), complaints.splitlines()

        yield say


@pytest.fixture
def kinds(capsys: pytest.CaptureFixture[str]) -> Iterator[Say]:
    """Of the program with every kind of match."""
    with _session("kinds", capsys) as say:
        yield say


@pytest.fixture
def resources(capsys: pytest.CaptureFixture[str]) -> Iterator[Say]:
    """Of the program with what is programmed beside plain tables."""
    with _session("resources", capsys) as say:
        yield say


@pytest.fixture
def colors(capsys: pytest.CaptureFixture[str]) -> Iterator[Say]:
    """Of the program whose entries, also those for all packets, have meters."""
    with _session("entries_for_all_packets", capsys) as say:
        yield say
