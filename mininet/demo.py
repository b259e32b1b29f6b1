"""A dumbbell with real TCP whose bottleneck buffer ABS sizes; `make demo` runs this.

Writes summary.json, timeseries.csv, demo.png and logs/ to the results folder.
"""

import os
import sys
from typing import NoReturn

import click
from absdemo.machine import check_machine, give_to_caller, make_results_folder
from absdemo.measure.measurements import Measurements
from absdemo.processes.interruption import Interrupted
from absdemo.processes.ledger import AlreadyRunning
from absdemo.report import figure, summary
from absdemo.report.progress import display
from absdemo.settings import Settings, parse_settings
from p4abs.errors import UserError
from rich.console import Console


@click.command()
@click.option(
    "--target", default="embedded", show_default=True, help="embedded, bmv2 or bmv2-queue."
)
@click.option("--flows", default="16", show_default=True, help="TCP connections.")
@click.option("--rate", default="10Mbit", show_default=True, help="Bottleneck capacity.")
@click.option(
    "--capacity-declared",
    default="",
    help="What the controller is told; the rate if not given, nothing if measured.",
)
@click.option("--delay", default="10ms", show_default=True, help="Its propagation delay, one way.")
@click.option("--duration", default="60", show_default=True, help="Of the schedule, in seconds.")
@click.option("--congestion-control", default="reno", show_default=True, help="reno, cubic or bbr.")
@click.option("--utilization", default="0.98", show_default=True, help="Target, at least.")
@click.option("--loss", default="0.02", show_default=True, help="Target, at most.")
@click.option("--policy", default="abs", show_default=True, help="Sizing policy of p4abs control.")
@click.option(
    "--disturb", default="none", show_default=True, help="In each phase: none, stall, pause, flap."
)
@click.option("--results", default="results/demo", show_default=True, help="Folder to write to.")
@click.option("--headless", is_flag=True, help="Plain lines even where there is a terminal.")
def main(headless: bool, **options: str) -> None:
    """Shows ABS sizing the buffer of a congested link that carries TCP."""
    console = Console(force_terminal=False if headless else None, highlight=False)
    try:
        settings = parse_settings(**options)
        check_machine(settings)
        make_results_folder(settings)
    except UserError as error:
        _fail(error, 2)
    # gRPC's own messages would stand between ours; it looks at this when it is imported.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    # Only now: without Mininet this import fails.
    from absdemo.run import FAILURES, run

    try:
        with display(console, settings.duration_s) as show:
            measurements = run(settings, show)
    except AlreadyRunning as error:
        _fail(error, 2)
    except FAILURES as error:
        _fail(error, 1)
    except Interrupted as interruption:
        console.print(f"{interruption}: everything has been cleaned up")
        sys.exit(interruption.exit_status)
    write_results(settings, measurements)
    give_to_caller(settings.results)
    console.print(summary.table(settings, measurements.results))
    for line in summary.remarks(measurements.results):
        console.print(line, soft_wrap=True)
    console.print(summary.loop_line(measurements.control_loop), soft_wrap=True)
    console.print(f"results are in {settings.results}", soft_wrap=True)


def write_results(settings: Settings, measurements: Measurements) -> None:
    """summary.json, timeseries.csv and demo.png."""
    folder, results = settings.results, measurements.results
    summary.write_summary(
        folder / "summary.json", summary.summarize(settings, results, measurements.control_loop)
    )
    summary.write_timeseries(
        folder / "timeseries.csv",
        measurements.samples,
        [result.phase for result in results],
        settings.capacity_bps,
    )
    figure.draw(folder / "demo.png", settings, measurements.samples, results)


def _fail(error: Exception | str, status: int) -> NoReturn:
    print(f"demo: {error}", file=sys.stderr)
    sys.exit(status)


if __name__ == "__main__":
    try:
        main(standalone_mode=False)
    except click.ClickException as error:
        _fail(error.format_message(), 2)
