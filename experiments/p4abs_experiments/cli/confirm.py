"""`p4abs confirm`."""

import os
from pathlib import Path

import click
from p4abs.errors import UserError


@click.command(short_help="Check whether older results still hold.")
@click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("docs/results"),
    show_default=True,
    help="Folder of the experiments' results.",
)
@click.option(
    "--cells",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="How many simulations of each experiment to repeat; at least one for each link and its "
    "traffic.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="Number of simulations at the same time [one per core].",
)
@click.option(
    "--store",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("results/cells"),
    show_default=True,
    help="Folder of finished simulations.",
)
@click.argument("names", nargs=-1, metavar="[NAME|PATTERN]...")
def confirm(
    results: Path, cells: int, jobs: int | None, store: Path, names: tuple[str, ...]
) -> int:
    """Check whether results that were measured with older code still hold.

    Runs some of their simulations again. If all repeats are bit-identical, the results count as
    those of the present code. A different compiler or math library can also make repeats differ.
    """
    try:
        from p4abs_experiments import confirmation
        from p4abs_experiments.run.store import Store
        from p4abs_experiments.run.workers import LocalWorkers
    except ImportError as error:
        raise UserError(
            f"the experiments are not installed ({error}); 'make setup' builds them"
        ) from None
    workers = LocalWorkers(jobs or os.cpu_count() or 1)
    found = confirmation.confirm(results, names, cells, Store(store, fresh=False), workers)
    for each in found:
        click.echo(f"{each.folder.name}: {each.outcome}")
    return 1 if any(each.differing for each in found) else 0
