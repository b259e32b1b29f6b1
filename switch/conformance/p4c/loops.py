"""A program as p4testgen can read it: it knows no loops, so that each of them runs once at most."""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from p4abs_switch.errors import UserError

_PREPROCESSOR = "cpp"  # its line markers stay: p4c knows v1model by the name of its file
_LOOP = re.compile(r"for \((?P<first>\w+ = [^;]*); (?P<condition>[^;]*); [^)]*\) \{")


def write_without_loops(source: Path, includes: Sequence[Path], target: Path) -> None:
    """Preprocesses a program into one file, in which loops are conditions.

    Raises UserError, and OSError.
    """
    options = [f"-I{path}" for path in includes]
    command: list[str | Path] = [_PREPROCESSOR, *options, source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"{source}: {_PREPROCESSOR}: {done.stderr.strip().splitlines()[-1]}")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(_LOOP.sub(r"\g<first>; if (\g<condition>) {", done.stdout))
