"""What the commands that run labs have in common."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import click
from p4abs.cli.options import Command, options
from p4abs.errors import UserError

_Lab = TypeVar("_Lab")


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
