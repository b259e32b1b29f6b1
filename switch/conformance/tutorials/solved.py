"""An exercise with its solution, in namespaces of its own."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from p4abs_switch.errors import UserError

from conformance.collection import Lab, Place
from conformance.outcome import Outcome
from conformance.tutorials.exercises import EXERCISES, Exercise
from conformance.tutorials.running_lab import NotShown, RunningLab
from conformance.workplace.console import MININET_PROMPT, Console, ConsoleError
from conformance.workplace.namespaces import alone

_START_PATIENCE_S = 120.0
_START = "ip link set lo up; exec make run"


@dataclass(frozen=True)
class SolvedExercise(Lab):
    """An exercise of a checkout of p4lang/tutorials."""

    exercise: Exercise

    @property
    def name(self) -> str:
        """That of its folder."""
        return self.exercise.name

    def check(self) -> None:
        """Raises UserError if the checkout has no such exercise, or no solution of it."""
        exercises = self.checkout / "exercises"
        if not exercises.is_dir():
            raise UserError(f"{self.checkout}: no checkout of p4lang/tutorials: no exercises in it")
        if not (exercises / self.name / "solution").is_dir():
            raise UserError(f"{self.checkout}: no exercise {self.name} with a solution in it")

    def run(self, _switch: str, place: Place) -> Outcome:
        """Whether it shows what it must."""
        folder = self.copy(place.folder)
        try:
            with Console(alone("sh", "-c", _START), folder, place.path, MININET_PROMPT) as console:
                console.wait(_START_PATIENCE_S)
                self.exercise.check(RunningLab(console, folder))
                console.leave("exit")
        except (ConsoleError, NotShown) as error:
            return Outcome(broken=str(error))
        return Outcome()

    def copy(self, root: Path) -> Path:
        """A fresh copy, the solution in the place of what students begin with."""
        folder = root / "exercises" / self.name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.checkout / "exercises" / self.name, folder)
        shutil.copytree(self.checkout / "utils", root / "utils", dirs_exist_ok=True)
        for solved in [path for path in (folder / "solution").iterdir() if path.is_file()]:
            for begun in [
                path for path in folder.rglob(solved.name) if path.parent.name != "solution"
            ]:
                shutil.copy(solved, begun)
        return folder


def find(tutorials: Path) -> list[SolvedExercise]:
    """All that have a check."""
    return [SolvedExercise(tutorials, exercise) for exercise in EXERCISES]
