"""A copy of an exercise with its solution, and the PATH that chooses the switch."""

import os
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from p4abs.errors import UserError

SWITCH = "simple_switch_grpc"
DROP_IN = "p4abs-simple-switch-grpc"
COMPILER = "p4c-bm2-ss"
PROGRAMS = {
    COMPILER: "p4c",
    SWITCH: "BMv2",
    "mn": "Debian's mininet",
    "iperf": "Debian's iperf",
    "ping": "Debian's iputils-ping",
    "telnet": "Debian's telnet",
    "make": "Debian's make",
}


@dataclass(frozen=True)
class Workplace:
    """Where the exercises run.

    tutorials: a checkout of p4lang/tutorials, which stays as it is.
    folder: where copies and what they write go.
    """

    tutorials: Path
    folder: Path

    def check(self, exercises: Iterable[str]) -> None:
        """Raises UserError if something is not there that these exercises need."""
        if not (self.tutorials / "exercises").is_dir():
            raise UserError(
                f"{self.tutorials}: no checkout of p4lang/tutorials: no exercises in it"
            )
        for exercise in exercises:
            if not (self.tutorials / "exercises" / exercise / "solution").is_dir():
                raise UserError(f"{self.tutorials}: no exercise {exercise} with a solution in it")
        missing = [
            f"{name} ({origin})" for name, origin in PROGRAMS.items() if not shutil.which(name)
        ]
        if missing:
            raise UserError(f"not on PATH: {', '.join(missing)}")

    def copy(self, exercise: str, target: str) -> Path:
        """A fresh copy of an exercise, its solution in the place of what students begin with."""
        root = self.folder / target
        folder = root / "exercises" / exercise
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.tutorials / "exercises" / exercise, folder)
        shutil.copytree(self.tutorials / "utils", root / "utils", dirs_exist_ok=True)
        for solved in [path for path in (folder / "solution").iterdir() if path.is_file()]:
            for begun in [
                path for path in folder.rglob(solved.name) if path.parent.name != "solution"
            ]:
                shutil.copy(solved, begun)
        return folder

    def path(self, switch: str) -> str:
        """PATH with a switch called as the exercises call it. They call sudo; this is root."""
        programs = self.folder / "programs" / switch
        shutil.rmtree(programs, ignore_errors=True)
        programs.mkdir(parents=True)
        _link(programs / "sudo", shutil.which("env"))
        if switch != SWITCH:
            _link(programs / SWITCH, str(Path(sys.executable).parent / switch))
        return f"{programs}:{os.environ['PATH']}"


def _link(link: Path, program: str | None) -> None:
    if program is None or not Path(program).exists():
        raise UserError(f"{link.name}: not installed")
    link.symlink_to(Path(program).absolute())
