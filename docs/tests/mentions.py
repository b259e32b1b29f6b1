"""Whether options of `p4abs`, targets of `make` and paths that are mentioned exist."""

import re
import subprocess
from collections.abc import Sequence
from functools import cache
from itertools import dropwhile
from pathlib import Path

import click
from p4abs.cli.main import commands as p4abs_commands
from p4abs_switch.cli.commands import commands as p4abs_switch_commands
from p4abs_switch.cli.drop_in import WITH_P4RUNTIME, bmv2_parser, target_parser
from p4abs_switch.cli.thrift_console import simple_switch_cli

ROOT = Path(__file__).resolve().parents[2]
# Where paths in documents may start: each package is spoken of from its own folder, too.
_PACKAGES = (
    *("controller/p4abs", "switch/p4abs_switch", "experiments/p4abs_experiments"),
    *("switch/pipeline/src", "switch/engine/src"),
)
_BASES = tuple(
    ROOT / base for base in ("", "docs", "controller", "switch", "experiments", *_PACKAGES)
)
_PROGRAMS = {"p4abs": p4abs_commands, "p4abs-switch": p4abs_switch_commands}
_MADE = ("results/", ".venv/")  # by running something: not checked in
_PATH = re.compile(r"\.?[\w-]+(?:/[\w.*-]+)+/?")
_VARIABLE = re.compile(r"[A-Z0-9_]+=.*")


def wrong_command(words: Sequence[str]) -> str | None:
    """What is wrong with a mentioned command; None: nothing, as far as one sees unrun.

    Variables of the environment may stand before it.
    """
    words = list(dropwhile(_VARIABLE.fullmatch, words))
    if words[:1] == ["make"]:
        return _wrong_make(tuple(words[1:]))
    if words and words[0] in _PROGRAMS:
        return _wrong_words(words[0], words[1:])
    return None


def wrong_span(text: str, document: Path) -> str | None:
    """What is wrong with inline code; None: nothing, or it is no command, option or path."""
    if text.startswith("--"):
        return _wrong_option(text)
    if _PATH.fullmatch(text):
        return _wrong_path(text, document)
    return wrong_command(text.split())


@cache
def _wrong_make(words: tuple[str, ...]) -> str | None:
    for word in words:
        if _VARIABLE.fullmatch(word) and word.partition("=")[0] not in _make_variables():
            return f"the Makefile has no variable {word.partition('=')[0]}"
    dry = subprocess.run(
        ["make", "--dry-run", "--silent", *words], cwd=ROOT, capture_output=True, text=True
    )
    return dry.stderr.strip() or "make fails" if dry.returncode != 0 else None


@cache
def _make_variables() -> frozenset[str]:
    """Those with a default, and CC, whose origin the Makefile asks for."""
    text = (ROOT / "Makefile").read_text()
    found = re.findall(r"^([A-Z0-9_]+)\s*\?=|\$\(origin (\w+)\)", text, re.MULTILINE)
    return frozenset(name for names in found for name in names if name)


def _wrong_words(program: str, words: Sequence[str]) -> str | None:
    commands = _PROGRAMS[program]
    if not words or words[0].startswith("-"):
        return _unknown_options(words, _options(commands))
    command = commands.get_command(click.Context(commands), words[0])
    if command is None:
        names = ", ".join(commands.list_commands(click.Context(commands)))
        return f"{program} has no command {words[0]}; it has {names}"
    return _unknown_options(words[1:], _options(command))


def _unknown_options(words: Sequence[str], known: frozenset[str]) -> str | None:
    given = (word.strip("[]").partition("=")[0] for word in words)
    unknown = [word for word in given if word.startswith("-") and word.strip("-")]
    missing = [word for word in unknown if word not in known]
    return f"no option {', '.join(missing)}" if missing else None


def _wrong_option(text: str) -> str | None:
    option = re.split(r"[ =]", text)[0]
    names = p4abs_commands.list_commands(click.Context(p4abs_commands))
    for name in names:
        command = p4abs_commands.get_command(click.Context(p4abs_commands), name)
        if command is not None and option in _options(command):
            return None
    if option in _options_of_the_drop_ins():
        return None
    return f"no command of p4abs and no drop-in has an option {option}"


@cache
def _options_of_the_drop_ins() -> frozenset[str]:
    parsers = (bmv2_parser(WITH_P4RUNTIME), target_parser(WITH_P4RUNTIME))
    given = (action.option_strings for parser in parsers for action in parser._actions)
    return _options(simple_switch_cli).union(*given)


def _options(command: click.Command) -> frozenset[str]:
    context = click.Context(command)
    return frozenset(
        option for parameter in command.get_params(context) for option in parameter.opts
    ) | {"-h", "--help"}


def _wrong_path(text: str, document: Path) -> str | None:
    if text.startswith(_MADE):
        return None
    for base in (document.parent, *_BASES):
        if any(base.glob(text.rstrip("/"))):
            return None
    return f"there is no {text}"
