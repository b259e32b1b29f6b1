"""`p4abs experiment`."""

import os
from pathlib import Path

import click
from p4abs.cli.options import options
from p4abs.errors import UserError
from rich.console import Console

# ns-3 has seeds of 32 bits, and takes the next one.
_HIGHEST_SEED = 2**31 - 1

_RUN = options(
    click.option(
        "--size",
        type=click.Choice(["quick", "full"]),
        default="full",
        show_default=True,
        help="quick: up to three short simulations of each experiment, and tables only; full: "
        "everything.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(min=1),
        metavar="NUMBER",
        help="Number of simulations at the same time [one per core].",
    ),
    click.option(
        "--scheduler", metavar="tcp://HOST:PORT", help="Run the simulations on this Dask cluster."
    ),
    click.option(
        "--results",
        type=click.Path(path_type=Path, file_okay=False),
        default=Path("results"),
        show_default=True,
        help="Folder for tables, figures and finished simulations.",
    ),
    click.option(
        "--seed",
        "seeds",
        type=click.IntRange(1, _HIGHEST_SEED),
        multiple=True,
        metavar="NUMBER",
        help="Random seed instead of the experiment's own; repeat for several seeds.",
    ),
    click.option(
        "--optima",
        type=click.Path(path_type=Path, file_okay=False, exists=True),
        metavar="FOLDER",
        help="Take the smallest fixed limits that meet both targets from this folder of results, "
        "such as docs/results, if repeated simulations confirm them.",
    ),
    click.option("--fresh", is_flag=True, help="Ignore finished simulations and run all again."),
)


@click.command(short_help="Repeat tables and figures of papers, in simulations.")
@click.option("--list", "listing", is_flag=True, help="List the experiments.")
@_RUN
@click.argument("names", nargs=-1, metavar="[NAME|PATTERN|all]...")
def experiment(
    listing: bool,
    size: str,
    jobs: int | None,
    scheduler: str | None,
    results: Path,
    seeds: tuple[int, ...],
    fresh: bool,
    optima: Path | None,
    names: tuple[str, ...],
) -> int:
    """Repeat tables and figures of papers on buffer sizing, in simulations.

    The simulations run the P4 program and the policies. All experiments take most of a night on two
    cores, and some GB of disk. If a run is interrupted, start it again: it resumes.
    """
    try:
        from p4abs_experiments import command
        from p4abs_experiments.registry import EXPERIMENTS
        from p4abs_experiments.size import Size
    except ImportError as error:
        raise UserError(
            f"the experiments are not installed ({error}); 'make setup' builds them"
        ) from None
    if listing:
        width = max(map(len, EXPERIMENTS))
        for each in EXPERIMENTS.values():
            click.echo(f"{each.name:{width}} {each.title} ({each.source})")
        return 0
    if len(set(seeds)) < len(seeds):
        raise UserError(f"--seed: each random seed once, not {', '.join(map(str, seeds))}")
    request = command.Request(
        names=names,
        size=Size(size),
        jobs=jobs or os.cpu_count() or 1,
        scheduler=scheduler,
        folder=results,
        seeds=seeds or None,
        fresh=fresh,
        optima=optima,
    )
    command.run(request, Console())
    return 0
