"""p4c's back end for BMv2."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

COMPILER = "p4c-bm2-ss"
TIMEOUT_S = 600.0


class DoesNotCompile(Exception):
    """p4c refuses a program; one line of what it says."""


def compile_program(folder: Path, program: Path, json_path: Path, options: Sequence[str]) -> None:
    """Compiles a program to JSON in `folder`, which paths may be relative to.

    Raises DoesNotCompile.
    """
    command = [COMPILER, *options, "-o", str(json_path), str(program)]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, timeout=TIMEOUT_S
        )
    except subprocess.TimeoutExpired:
        raise DoesNotCompile(f"error: no end within {TIMEOUT_S:.0f} s") from None
    if done.returncode != 0 or not (folder / json_path).exists():
        said = (done.stderr + done.stdout).splitlines()
        errors = [line for line in said if "error" in line or "Compiler Bug" in line]
        raise DoesNotCompile(next(iter(errors), f"exit status {done.returncode}"))
