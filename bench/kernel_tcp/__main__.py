"""`make kernel-tcp`: the kernel's TCP beside ns-3's, to docs/results/kernel-tcp.

A live round takes three quarters of an hour, the simulations take minutes. Live results are written
down load by load. So a run that was interrupted resumes, and a run that was disturbed is repeated
when the command is started again. --rounds is the number of live rounds.
"""

import os
import platform
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import product
from pathlib import Path

import click
from p4abs.cli import run as run_command
from p4abs_demonstration.interruption import interruptible
from p4abs_experiments.run.process import CellProcess
from p4abs_switch.command_line.options import FOLDER, option
from p4abs_switch.testbed.caller import give_to_caller
from p4abs_switch.testbed.namespaces import enter_own
from rich.console import Console

from kernel_tcp import kernel, page, rows, simulated
from kernel_tcp.loads import LOADS, STRETCHES, Load

LIVE, SIMULATED, MACHINE = "live.csv", "simulated.csv", "machine.txt"
PAGE, DIFFERENCES = "README.md", "differences.txt"


@click.command()
@option("--rounds", "Live rounds of each load.", type=click.IntRange(0), default=1)
@option("--results", "The folder to write to.", type=FOLDER, required=True)
def main(rounds: int, results: Path) -> int:
    """Measures the kernel's TCP and ns-3's on the same link, and compares them."""
    console = Console(highlight=False)
    results.mkdir(parents=True, exist_ok=True)
    with interruptible():
        _measure_live(console, rounds, results)
        _simulate(console, results)
    _write_page(results)
    give_to_caller(results)
    console.print(f"results are in {results}", soft_wrap=True)
    return 0


def _measure_live(console: Console, rounds: int, results: Path) -> None:
    found = rows.read(results / LIVE)
    for run, load in product(range(1, rounds + 1), LOADS):
        of_it = (load.congestion_control, load.flows, run)
        earlier = [row for row in found if _names(row) == of_it]
        if sum(not row.note for row in earlier) == len(STRETCHES):
            continue
        kept = [row for row in found if row not in earlier]
        with tempfile.TemporaryDirectory(prefix="p4abs-kernel-tcp-") as logs:
            again = _told(console, _live_rows(load, run, Path(logs)))
        measured = {row.limit: row for row in earlier if not row.note}
        found = kept + [measured.get(row.limit, row) if row.note else row for row in again]
        rows.write(results / LIVE, found)
        (results / MACHINE).write_text(_machine() + "\n")


def _live_rows(load: Load, run: int, logs: Path) -> Iterator[rows.Row]:
    """A row for each stretch; why there is none, where the measurement failed."""
    left = list(STRETCHES)
    try:
        for row in kernel.measure(load, run, logs):
            left.pop(0)
            yield row
    except kernel.FAILURES as error:
        yield from (rows.Row.without_result(load, each, run, str(error)) for each in left)


def _simulate(console: Console, results: Path) -> None:
    runs = product(LOADS, STRETCHES, simulated.SEEDS)
    with closing(CellProcess()) as process:
        found = _told(console, (simulated.measure(process, *run) for run in runs))
    rows.write(results / SIMULATED, found)


def _told(console: Console, found: Iterable[rows.Row]) -> list[rows.Row]:
    """The rows, each shown as it comes."""
    kept = []
    for row in found:
        console.print(
            f"{row.flows} {row.congestion_control}, {row.limit}, {row.run}: "
            + (row.note or f"utilization {row.utilization:.2%}, loss {row.loss:.2%}"),
            soft_wrap=True,
        )
        kept.append(row)
    return kept


def _write_page(results: Path) -> None:
    live, virtual = rows.read(results / LIVE), rows.read(results / SIMULATED)
    comparisons = list(page.compare(live, virtual))
    machine, differences = results / MACHINE, results / DIFFERENCES
    (results / PAGE).write_text(
        page.page(
            comparisons,
            machine.read_text().strip() if machine.exists() else "not measured",
            differences.read_text() if differences.exists() else "",
        )
    )


def _names(row: rows.Row) -> tuple[str, int, int]:
    return row.congestion_control, row.flows, row.run


def _machine() -> str:
    system = platform.uname()
    return f"Linux {system.release}, {system.machine}, {os.cpu_count()} cores"


if __name__ == "__main__":
    # First of all: a process of several threads, as numpy makes it, gets no namespace of users.
    enter_own()
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    run_command(main, "kernel-tcp")
