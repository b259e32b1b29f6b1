"""The commands: one for each collection of labs, and one for p4c's programs.

Exit status 0: the drop-in does what BMv2 does or, where BMv2 is left out, passes all; 1: it does
not; 2: wrong values, or nothing passes on BMv2.
"""

from pathlib import Path

import click
from p4abs_switch.command_line.run import run as run_command
from p4abs_switch.errors import UserError

from conformance.collection import Collection
from conformance.run import run
from conformance.samples.command import samples_command
from conformance.table import COLLECTIONS

_CHECKOUT = click.Path(path_type=Path, file_okay=False)


def command(collection: Collection) -> click.Command:
    """Takes a checkout as its argument or, where there are several projects, each as an option."""

    def callback(wanted: str, results: Path, page: Path | None, **given: Path | None) -> int:
        checkouts = {name: path.resolve() for name, path in given.items() if path is not None}
        if not checkouts:
            raise UserError(f"no checkout: give {' or '.join(f'--{name}' for name in given)}")
        return run(collection, checkouts, wanted, results.resolve(), page)

    return click.Command(
        collection.name,
        callback=callback,
        help=collection.help,
        params=[*_checkouts(collection), *_options(collection)],
    )


def _checkouts(collection: Collection) -> list[click.Parameter]:
    names = list(collection.finders)
    if len(names) == 1:
        return [click.Argument(names, type=_CHECKOUT)]
    return [click.Option([f"--{name}"], type=_CHECKOUT, help="A checkout.") for name in names]


def _options(collection: Collection) -> list[click.Option]:
    kinds = f"{collection.kind}s"
    return [
        click.Option(
            [f"--{kinds}", "wanted"], default="", help=f"Some of the {kinds} only, by name: A,B,..."
        ),
        click.Option(
            ["--results"],
            type=click.Path(path_type=Path, file_okay=False),
            default=Path("results") / collection.name,
            show_default=True,
            help="Folder of the copies that run, with all that they write.",
        ),
        click.Option(
            ["--page"],
            type=click.Path(path_type=Path, exists=True, dir_okay=False),
            help="The page in which to write the table.",
        ),
    ]


main = click.Group(
    "conformance",
    [samples_command, *(command(each) for each in COLLECTIONS)],
    help="What others wrote for BMv2, unchanged.",
)

if __name__ == "__main__":
    run_command(main, "conformance")
