"""A dumbbell with real TCP whose bottleneck buffer ABS sizes; `make demo` runs this.

Writes summary.json, timeseries.csv, demo.png and logs/ to the results folder.
"""

import os

import click
from absdemo.ledger import AlreadyRunning
from absdemo.machine import check_machine
from p4abs.cli import run as run_command
from p4abs.errors import P4absError, UserError
from p4abs_demonstration.interruption import Interrupted
from p4abs_demonstration.options import demonstration_options
from p4abs_demonstration.report import figure
from p4abs_demonstration.report.progress import display
from p4abs_demonstration.report.results import (
    make_results_folder,
    show_results,
    write_results,
)
from p4abs_demonstration.settings import parse_settings
from p4abs_switch.testbed.caller import give_to_caller
from rich.console import Console


@click.command()
@click.option(
    "--target",
    default="embedded",
    show_default=True,
    help="The switch: embedded, bmv2 or bmv2-queue.",
)
@demonstration_options
@click.option("--results", default="results/demo", show_default=True, help="Folder to write to.")
def main(headless: bool, **options: str) -> int:
    """Shows ABS sizing the buffer of a congested link that carries TCP."""
    console = Console(force_terminal=False if headless else None, highlight=False)
    settings = parse_settings(**options)
    check_machine(settings)
    make_results_folder(settings)
    # gRPC's own messages would stand between ours; it looks at this when it is imported.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    # Only now: without Mininet this import fails.
    from absdemo.run import FAILURES, run

    try:
        with display(console, settings.duration_s) as show:
            measurements = run(settings, show)
    except AlreadyRunning as error:
        raise UserError(str(error)) from None
    except FAILURES as error:
        raise P4absError(str(error)) from None
    except Interrupted as interruption:
        console.print(f"{interruption}: everything has been cleaned up")
        return interruption.exit_status
    write_results(settings, measurements)
    figure.draw(settings.results / "demo.png", settings, measurements.samples, measurements.results)
    give_to_caller(settings.results)
    show_results(console, settings, measurements)
    console.print(f"results are in {settings.results}", soft_wrap=True)
    return 0


if __name__ == "__main__":
    run_command(main, "demo")
