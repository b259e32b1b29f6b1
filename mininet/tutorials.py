"""The exercises of p4lang/tutorials on the embedded target and on BMv2.

`make tutorials TUTORIALS=FOLDER` runs this. Exit status 0: all pass on the embedded target that
pass on BMv2; 1: some do not; 2: wrong values, or none passes on BMv2.
"""

from pathlib import Path

import click
from abstutorials.command import chosen, keep, on_each, outputs
from abstutorials.exercises import EXERCISES, Exercise
from abstutorials.page import write
from abstutorials.runner import run
from abstutorials.switches import DROP_IN, SWITCH, check_any_passed
from abstutorials.workplace import Workplace
from p4abs.cli import run as run_command


@click.command()
@click.argument("tutorials", type=click.Path(path_type=Path, file_okay=False))
@click.option("--exercises", default="", help="Some of the exercises only, by name: A,B,...")
@outputs("results/tutorials")
def main(tutorials: Path, exercises: str, results: Path, page: Path | None) -> int:
    """Runs the exercises of a checkout of p4lang/tutorials."""
    labs = chosen("exercise", exercises, {exercise.name: exercise for exercise in EXERCISES})
    place = Workplace(tutorials.resolve(), results.resolve())
    place.check([exercise.name for exercise in labs])
    reasons = {exercise.name: _on_both(exercise, place) for exercise in labs}
    keep(place.folder, "tutorials.json", reasons)
    check_any_passed((each[SWITCH] is None for each in reasons.values()), place.folder)
    if page is not None:
        write(page, labs, reasons)
    worse = any(each[DROP_IN] is not None and each[SWITCH] is None for each in reasons.values())
    return 1 if worse else 0


def _on_both(exercise: Exercise, place: Workplace) -> dict[str, str | None]:
    return on_each(exercise.name, (DROP_IN, SWITCH), lambda switch: run(exercise, switch, place))


if __name__ == "__main__":
    run_command(main, "tutorials")
