"""What the commands that run labs have in common."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

import click
from p4abs.cli.options import Command, options
from p4abs.errors import UserError
from p4abs_switch.demonstration.report.results import give_to_caller

_Lab = TypeVar("_Lab")
_Outcome = TypeVar("_Outcome")


def outputs(results: str) -> Callable[[Command], Command]:
    """The options --results, with this default, and --page."""
    return options(
        click.option(
            "--results",
            type=click.Path(path_type=Path, file_okay=False),
            default=Path(results),
            show_default=True,
            help="Folder of the copies that run, with all that they write.",
        ),
        click.option(
            "--page",
            type=click.Path(path_type=Path, exists=True, dir_okay=False),
            help="The page in which to write the table.",
        ),
    )


def chosen(kind: str, wanted: str, labs: Mapping[str, _Lab]) -> list[_Lab]:
    """Those of the names `wanted`, "A,B", all without a name. Raises UserError.

    labs: by name. kind: what messages call one.
    """
    names = [name.strip() for name in wanted.split(",") if name.strip()]
    for name in names:
        if name not in labs:
            raise UserError(f"no {kind} {name!r}; valid: {', '.join(labs)}")
    return [labs[name] for name in names or labs]


def on_each(
    lab: str, switches: Sequence[str], run: Callable[[str], _Outcome]
) -> dict[str, _Outcome]:
    """What comes of a lab on each switch, told as soon as it is known.

    run: takes a switch; None says that the lab passed.
    """
    outcomes = {}
    for switch in switches:
        outcomes[switch] = run(switch)
        print(f"{lab} on {switch}: {outcomes[switch] or 'passed'}", flush=True)
    return outcomes


def keep(results: Path, name: str, outcomes: Mapping[str, Mapping[str, object]]) -> None:
    """Writes the outcomes, by lab and switch, as JSON to a file of the folder of results."""
    text = json.dumps(outcomes, indent=2, default=asdict)
    (results / name).write_text(text + "\n")
    give_to_caller(results)
