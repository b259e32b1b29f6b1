"""Commands and their options, as their help tells them."""

import inspect
import os
import subprocess
import sys
from collections.abc import Container, Iterator
from pathlib import Path

import click
from p4abs.cli.main import commands as p4abs
from p4abs_switch.cli.commands import commands as p4abs_switch

from docs.site.reference.errors import Undescribed
from docs.site.reference.markdown import code, table

_DROP_IN = "p4abs-simple-switch-grpc"
_TERMINAL_COLUMNS = "100"


def commands() -> str:
    """Those of `p4abs`; the switch's among them are `p4abs-switch`'s, too."""
    own = p4abs_switch.list_commands(click.Context(p4abs_switch))
    return commands_of(p4abs, {*own})


def commands_of(group: click.Group, of_the_switch: Container[str]) -> str:
    """A section for each of a group. Raises Undescribed."""
    context = click.Context(group, info_name="p4abs")
    names = group.list_commands(context)
    return "\n".join(_command(context, name, name in of_the_switch) for name in names)


def drop_in() -> str:
    """The help of the command that stands in for BMv2."""
    program = Path(sys.executable).with_name(_DROP_IN)
    environment = {**os.environ, "COLUMNS": _TERMINAL_COLUMNS}
    told = subprocess.run(
        [program, "--help"], capture_output=True, text=True, check=True, env=environment
    )
    return f"```text\n{told.stdout}```\n"


def _command(group: click.Context, name: str, is_of_the_switch: bool) -> str:
    assert isinstance(group.command, click.Group)
    command = group.command.get_command(group, name)
    assert command is not None
    if not command.help:
        raise Undescribed(f"the command {group.info_name} {name}")
    also = f"Also `p4abs-switch {name}`.\n\n" if is_of_the_switch else ""
    context = click.Context(command, group, info_name=name)
    usage = " ".join(context.get_usage().removeprefix("Usage:").split())
    text = inspect.cleandoc(command.help).replace("\b\n", "")
    options = table(("option", "meaning"), _options(context))
    return f"## {group.info_name} {name}\n\n    {usage}\n\n{text}\n\n{also}{options}"


def _options(context: click.Context) -> Iterator[tuple[str, str]]:
    for parameter in context.command.get_params(context):
        if not isinstance(parameter, click.Option) or parameter.hidden:
            continue
        record = parameter.get_help_record(context)
        if record is None or not parameter.help:
            raise Undescribed(f"{context.command_path} {parameter.opts[0]}")
        yield code(record[0]), record[1]
