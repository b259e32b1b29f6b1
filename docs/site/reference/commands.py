"""Commands and their options, as their help tells them."""

import argparse
import inspect
from collections.abc import Container, Iterator

import click
from p4abs.cli.main import commands as p4abs
from p4abs_switch.cli.commands import commands as p4abs_switch
from p4abs_switch.cli.drop_in import WITH_P4RUNTIME, bmv2_parser, target_parser

from docs.site.reference.errors import Undescribed
from docs.site.reference.markdown import code, table


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
    """The options of the command that stands in for BMv2, before and after `--`."""
    parsers = {"option": bmv2_parser(WITH_P4RUNTIME), "after `--`": target_parser(WITH_P4RUNTIME)}
    return "\n".join(options_of(head, parser) for head, parser in parsers.items())


def options_of(head: str, parser: argparse.ArgumentParser) -> str:
    """A table of what a parser takes. Raises Undescribed."""
    return table((head, "meaning"), map(_argument, parser._actions))


def _argument(action: argparse.Action) -> tuple[str, str]:
    names = ", ".join(action.option_strings)
    if not action.help:
        raise Undescribed(f"{WITH_P4RUNTIME} {names or action.metavar}")
    value = "" if action.nargs == 0 else action.metavar or "|".join(action.choices or ())
    return code(f"{names} {value}".strip()), action.help


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
