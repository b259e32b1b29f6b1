"""`p4abs cli`."""

import sys
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path

import click

from p4abs_switch.cli.connecting import connecting
from p4abs_switch.client import Connection
from p4abs_switch.command_line.options import FILE
from p4abs_switch.console.session import Session
from p4abs_switch.console.shell import Shell
from p4abs_switch.errors import Failure, UserError
from p4abs_switch.files import read_text

_LONGEST_LINE = 2**20


@click.command(short_help="Type the commands of BMv2's simple_switch_CLI.")
@connecting
@click.argument("path", type=FILE, required=False, metavar="[FILE]")
def cli(connection: Connection, path: Path | None) -> int:
    """Control a P4Runtime switch with the commands of BMv2's simple_switch_CLI.

    Commands come from FILE, a pipe or the prompt. `help` lists them.
    """
    lines = None if path is None else _lines(path)
    with Session(connection) as session:
        return Failure.exit_code if converse(Shell(session), lines) else 0


def converse(shell: Shell, lines: list[str] | None = None) -> int:
    """Takes commands from lines, or else from standard input, which may be a terminal with a
    prompt.

    Returns how many commands failed without a user at the terminal.
    """
    if lines is None and sys.stdin.isatty():
        shell.cmdloop()
        return 0
    shell.run(_piped() if lines is None else lines)
    return shell.failures


def _piped() -> Iterator[str]:
    if isinstance(sys.stdin, TextIOWrapper):  # without a locale, it takes any bytes for text
        sys.stdin.reconfigure(errors="strict")
    mark = "\ufeff"  # of the encoding, before the first line
    try:
        while line := sys.stdin.readline(_LONGEST_LINE):
            if len(line) == _LONGEST_LINE:
                raise UserError(
                    f"standard input: a line must be shorter than {_LONGEST_LINE} characters"
                )
            yield line.removeprefix(mark)
            mark = ""
    except UnicodeDecodeError as error:
        raise UserError(f"standard input: not text: {error.reason}") from None


def _lines(path: Path) -> list[str]:
    """Raises UserError."""
    try:
        text = read_text(path, "utf-8-sig")
    except OSError as error:
        is_command = isinstance(error, FileNotFoundError) and " " in str(path)
        hint = f'; a command is given so: echo "{path}" | p4abs cli' if is_command else ""
        raise UserError(f"{path}: {error.strerror}{hint}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not text: {error.reason}") from None
    if text.lstrip().startswith(("{", "[")):
        raise UserError(f"{path}: JSON, and no commands; a runtime file is for `p4abs runtime`")
    return text.splitlines()
