"""A copy of an exercise with its solution."""

import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from p4abs.errors import UserError

from abstutorials.compiler import COMPILER
from abstutorials.switches import SWITCH, check_programs

PROGRAMS = {
    COMPILER: "p4c",
    SWITCH: "BMv2",
    "mn": "Debian's mininet",
    "iperf": "Debian's iperf",
    "ping": "Debian's iputils-ping",
    "telnet": "Debian's telnet",
    "make": "Debian's make",
}
MODULES = ("mininet.net", "scapy", "psutil", "grpc", "p4.v1", "p4.tmp", "p4runtime_sh")
_PRINT_MISSING = """
import sys
from importlib.util import find_spec

def is_missing(name):
    try:
        return find_spec(name) is None
    except ModuleNotFoundError:
        return True

print(*filter(is_missing, sys.argv[1:]), sep=", ")
"""


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
        check_programs(PROGRAMS)
        check_modules(MODULES, self.tutorials)

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


def check_modules(names: Iterable[str], folder: Path) -> None:
    """Raises UserError if the `python3` on PATH, run in `folder`, lacks one of them."""
    command = ("python3", "-c", _PRINT_MISSING, *names)
    asked = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if asked.returncode != 0:
        raise UserError(f"the python3 on PATH does not run: {asked.stderr.strip()}")
    if missing := asked.stdout.strip():
        raise UserError(f"the python3 on PATH has no {missing}")
