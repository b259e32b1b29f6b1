"""All commands at a prompt, from a file or a pipe."""

import cmd
import sys
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from p4abs_switch.client import RpcError
from p4abs_switch.console.commands.group import Group, say
from p4abs_switch.console.commands.groups import groups_of
from p4abs_switch.console.commands.ports import PortCommands
from p4abs_switch.console.programs import load_program
from p4abs_switch.console.refused import REFUSED
from p4abs_switch.console.session import Session
from p4abs_switch.console.values import words
from p4abs_switch.errors import InputError, one_line
from p4abs_switch.protobuf import p4r
from p4abs_switch.runtime.objects import Objects


def _all_groups(session: Session) -> list[Group]:
    """All commands, which know of no entry, member or node yet."""
    objects = Objects(session)
    return [*groups_of(objects), PortCommands(objects, session)]


class Shell(cmd.Cmd):
    """Carries out commands; prints a line on standard error for one that fails.

    fault: what such a line begins with.
    load: takes the path of a program's JSON; raises UserError.
    failures: how many have failed.
    """

    prompt = "RuntimeCmd: "

    def __init__(
        self,
        session: Session,
        fault: str = "",
        load: Callable[[str], p4r.ForwardingPipelineConfig] = load_program,
    ) -> None:
        super().__init__()
        self._load = load
        self._fault = fault
        self._session = session
        self._groups = _all_groups(session)
        self.failures = 0
        self._place = ""

    def run(self, lines: Iterable[str]) -> None:
        """Carries out the lines of a file or a pipe, as BMv2 does: a failure stops no other.

        Raises RpcError when the switch is gone.
        """
        for number, line in enumerate(lines, 1):
            self._place = f"line {number}: "
            if self.onecmd(line.strip()):
                break

    def onecmd(self, line: str) -> bool:
        """Carries out a line; true if it is the last one. Raises RpcError as run() does."""
        if line.startswith("#"):
            return False
        try:
            return bool(super().onecmd(line))
        except RpcError as error:
            if error.is_unavailable:
                raise
            self._fail(line, error)
        except click.ClickException as error:
            self._fail(line, error)
        return False

    def __getattr__(self, name: str) -> Callable[[str], None]:
        """A command of a group, where `cmd` looks for it."""
        if name.startswith("do_"):
            for group in self.__dict__.get("_groups", ()):
                if command := group.command(name.removeprefix("do_")):
                    return command  # type: ignore[no-any-return]
        raise AttributeError(name)

    def get_names(self) -> list[str]:
        """All commands, for `help` and completion."""
        return [*super().get_names(), *(name for group in self._groups for name in dir(group))]

    def completedefault(self, *arguments: Any) -> list[str]:
        """Names of the program's objects that begin as what has been typed."""
        text: str = arguments[0]
        return [name for name in self._session.names.all() if name.startswith(text)]

    def emptyline(self) -> bool:
        """An empty line does nothing."""
        return False

    def default(self, line: str) -> None:
        """A command that there is not."""
        command = line.split()[0]
        if command in REFUSED:
            raise InputError(REFUSED[command])
        close = get_close_matches(command.lower(), self._commands())
        hint = f"did you mean {' or '.join(close)}? " if close else ""
        raise InputError(f"no such command; {hint}`help` lists all")

    def do_reset_state(self, line: str) -> None:
        """Empty tables, registers and all else; the program stays: reset_state"""
        words(line, "")
        self._session.reset()
        self._groups = _all_groups(self._session)

    def do_load_new_config_file(self, line: str) -> None:
        """Load another program, for swap_configs: load_new_config_file <path to .json file>"""
        [path] = words(line, "path")
        program = self._load(path)
        say("Loading new Json config")
        self._session.save(program)
        self._groups = _all_groups(self._session)

    def do_swap_configs(self, line: str) -> None:
        """Run the program that was loaded, with what was written since then: swap_configs"""
        words(line, "")
        say("Swapping configs")
        self._session.swap()

    def do_write_config_to_file(self, line: str) -> None:
        """Write the program's JSON to a file: write_config_to_file <file>"""
        [name] = words(line, "file")
        try:
            Path(name).write_bytes(self._session.device_config())
        except (OSError, ValueError) as error:
            raise InputError(f"{name}: {getattr(error, 'strerror', error)}") from None

    def do_greet(self, _line: str) -> None:
        """Say hello: greet"""
        say("hello")

    def do_exit(self, _line: str) -> bool:
        """End: exit"""
        return True

    def do_EOF(self, _line: str) -> bool:
        """End: Ctrl-D"""
        sys.stdout.write("\n")
        return True

    def _commands(self) -> list[str]:
        names = {name for name in self.get_names() if name.startswith("do_")} - {"do_EOF"}
        return sorted(name.removeprefix("do_") for name in names)

    def _fail(self, line: str, error: click.ClickException) -> None:
        self.failures += 1
        command = line.split()[0]
        sys.stderr.write(f"{self._fault}{self._place}{command}: {one_line(str(error))}\n")
