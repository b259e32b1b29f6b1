"""Whether the machine has what labs need."""

import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from p4abs_switch.errors import UserError

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


def check_programs(programs: Mapping[str, str]) -> None:
    """Raises UserError if one of the programs is not on PATH; each with where it comes from."""
    missing = [f"{name} ({origin})" for name, origin in programs.items() if not shutil.which(name)]
    if missing:
        raise UserError(f"not on PATH: {', '.join(missing)}")


def check_modules(names: Iterable[str], folder: Path) -> None:
    """Raises UserError if the `python3` on PATH, run in `folder`, lacks one of them."""
    command = ("python3", "-c", _PRINT_MISSING, *names)
    asked = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if asked.returncode != 0:
        raise UserError(f"the python3 on PATH does not run: {asked.stderr.strip()}")
    if missing := asked.stdout.strip():
        raise UserError(f"the python3 on PATH has no {missing}")
