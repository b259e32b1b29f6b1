"""The commands: one for each collection of labs, and three for p4c's programs.

Exit status 0: the drop-in does what BMv2 does or, where BMv2 is left out, passes all; 1: it does
not; 2: wrong values, or nothing passes on BMv2.
"""

from pathlib import Path

import click
from p4abs_switch.command_line.options import FOLDER
from p4abs_switch.command_line.run import run as run_command
from p4abs_switch.errors import UserError

from conformance.collection import Collection
from conformance.run import options, run
from conformance.samples.command import SAMPLES
from conformance.stf.command import STF
from conformance.table import COLLECTIONS
from conformance.testgen.command import TESTGEN


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
        params=[*_checkouts(collection), *options(collection.name, collection.kind)],
    )


def _checkouts(collection: Collection) -> list[click.Parameter]:
    names = list(collection.finders)
    if len(names) == 1:
        return [click.Argument(names, type=FOLDER)]
    return [click.Option([f"--{name}"], type=FOLDER, help="A checkout.") for name in names]


main = click.Group(
    "conformance",
    [
        *(runs.command() for runs in (STF, SAMPLES, TESTGEN)),
        *(command(each) for each in COLLECTIONS),
    ],
    help="Run other projects' tests and labs, unchanged, on this switch and on BMv2.",
)

if __name__ == "__main__":
    run_command(main, "conformance")
