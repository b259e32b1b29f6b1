"""Demonstrations in a row, some beside a compiler, and whether they meet their targets.

`make robustness` runs this. Writes robustness.md and robustness.json to the results folder, after
each demonstration anew, and what `make demo` leaves to a folder for each in robustness/. Exit
status 0: all phases have met their goals; 1: some have not, or have no result; 2: wrong values.
"""

from pathlib import Path

import click
from absdemo.machine import check_rights_and_tools
from absrobustness.campaign import run
from absrobustness.cases import Case, check_duration, choose, in_a_row
from absrobustness.compiler import check_compiler
from absrobustness.goals import Row, Verdict
from absrobustness.tables import notes, table, write
from p4abs.cli import run as run_command
from p4abs.errors import UserError
from p4abs_demonstration.interruption import Interrupted, interruptible
from p4abs_switch.testbed.caller import give_to_caller
from rich.console import Console

RUNS_MAX = 1000


@click.command()
@click.option("--cases", default="", help="Run only these demonstrations: NAME,NAME,... [all]")
@click.option(
    "--runs",
    type=click.IntRange(0, RUNS_MAX),
    default=0,
    help="Run each of --cases (without it the first demonstration) this many times in a row, while "
    "a compiler keeps the cores busy.",
)
@click.option(
    "--duration",
    default=240.0,
    show_default=True,
    help="Length of each demonstration in seconds.",
)
@click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("results"),
    show_default=True,
    help="Folder to write to.",
)
def main(cases: str, runs: int, duration: float, results: Path) -> int:
    """Runs demonstrations in a row and says which of them meet their targets."""
    names = [name.strip() for name in cases.split(",") if name.strip()]
    try:
        chosen = in_a_row(names, runs) if runs else choose(names)
        check_duration(chosen, duration)
        check_rights_and_tools()
        if any(case.compiler for case in chosen):
            check_compiler()
        results.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{results}: {error.strerror}") from None
    try:
        rows = _run(chosen, duration, results)
    except Interrupted as interruption:
        print(f"{interruption}: what has ended until now is in {results}")
        return interruption.exit_status
    return 0 if all(row.verdict is Verdict.MET for row in rows) else 1


def _run(cases: list[Case], duration_s: float, results: Path) -> list[Row]:
    console = Console(highlight=False)
    about_min = len(cases) * (duration_s + 10) / 60
    console.print(f"{len(cases)} demonstrations, about {about_min:.0f} minutes")
    rows: list[Row] = []
    with interruptible():
        for number, (case, found) in enumerate(run(cases, duration_s, results / "robustness"), 1):
            rows += found
            write(results, rows)
            give_to_caller(results)
            verdicts = ", ".join(f"{row.phase} {row.verdict}" for row in found)
            console.print(f"{number:3}  {case.name}: {verdicts}", soft_wrap=True)
    console.print(table(rows))
    for line in notes(rows):
        console.print(line, soft_wrap=True)
    console.print(f"results are in {results}/robustness.md and .json", soft_wrap=True)
    return rows


if __name__ == "__main__":
    run_command(main, "robustness")
