"""Commands that packages register as entry points: the good work, the broken are named."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from p4abs.cli.main import commands as main_commands
from p4abs.cli.registered import ENTRY_POINT_GROUP, BrokenRegistration, RegisteredCommands
from p4abs.errors import UserError

MODULE = '''
import click

@click.command()
def greet():
    """Say hello."""
    click.echo("hello")

NUMBER = 3
'''
BROKEN = {
    "missing": "no_such_module:command",
    "unnamed": "greetings:no_such_name",
    "failing": "failing_import:command",
    "number": "greetings:NUMBER",
}


@pytest.fixture(autouse=True)
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "greetings.py").write_text(MODULE)
    (tmp_path / "failing_import.py").write_text("raise RuntimeError('out of order')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "greetings", raising=False)


def group(*registered: tuple[str, str]) -> RegisteredCommands:
    return RegisteredCommands(EntryPoint(*each, ENTRY_POINT_GROUP) for each in registered)


def run(commands: RegisteredCommands, *arguments: str) -> Result:
    return CliRunner().invoke(commands, arguments, standalone_mode=False)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_registration_is_named_when_its_command_is_run(name: str) -> None:
    commands = group((name, BROKEN[name]))
    for arguments in ((name,), (name, "--help"), (name, "--speed", "3", "argument")):
        error = run(commands, *arguments).exception
        assert isinstance(error, BrokenRegistration)
        assert f"{name!r} ({BROKEN[name]})" in str(error)


def test_a_name_registered_twice_is_refused_with_both_places() -> None:
    commands = group(("greet", "greetings:greet"), ("greet", "elsewhere:greet"))
    error = run(commands, "greet").exception
    assert isinstance(error, BrokenRegistration)
    assert "greetings:greet and elsewhere:greet" in str(error)


def test_the_help_names_what_is_broken_beside_what_works() -> None:
    help_text = run(group(("greet", "greetings:greet"), *BROKEN.items()), "--help")
    assert help_text.exit_code == 0
    flat = " ".join(help_text.output.split())
    assert "greet Say hello." in flat
    for value in BROKEN.values():
        assert value in flat


def test_the_help_cuts_no_description_short() -> None:
    output = CliRunner().invoke(main_commands, ("--help",)).output
    assert "..." not in output.partition("Commands:")[2]


def test_a_command_imports_no_other_command() -> None:
    result = run(group(("greet", "greetings:greet"), *BROKEN.items()), "greet")
    assert result.output == "hello\n"
    assert "failing_import" not in sys.modules


def test_nothing_is_imported_before_a_command_is_run_or_listed() -> None:
    group(("greet", "greetings:greet"))
    assert "greetings" not in sys.modules


def test_a_command_that_nobody_registers_is_not_listed_and_lists_the_valid_ones() -> None:
    commands = group(("greet", "greetings:greet"), ("other", "greetings:greet"))
    assert "steer" not in run(commands, "--help").output
    error = run(commands, "steer").exception
    assert isinstance(error, UserError)
    assert str(error) == "no such command 'steer'; valid: greet, other"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("trace", "the package p4abs-switch has it; in a clone, `make setup` installs all"),
        ("demo", "the package p4abs-demonstration has it; in a clone, `make setup` installs all"),
        ("first.json", "did you mean switch first.json?"),
        ("abs.toml", "did you mean control --config abs.toml?"),
        ("gret", "did you mean greet?"),
    ],
)
def test_who_has_a_command_or_which_one_takes_a_file_is_said(name: str, hint: str) -> None:
    known = ("greet", "switch", "control")
    commands = group(*((each, "greetings:greet") for each in known))
    assert str(run(commands, name).exception) == f"no such command {name!r}; {hint}"
