"""p4c's own driver of packet tests, which runs them on BMv2.

It needs simple_switch and simple_switch_CLI on PATH, and the Python packages `ply`, `ptf` and
`thrift`. A test takes seconds.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from conformance.p4c.programs import Program
from conformance.workplace.compiler import COMPILER

SWITCH = "simple_switch"
_TEST_TIMEOUT_S = 150
_MEANS_FAILURE = ("ERROR:", "error:")


def run_on_bmv2(p4c: Path, program: Program) -> str | None:
    """Runs a test with p4c's driver; None when it passed, else the driver's reason."""
    with tempfile.TemporaryDirectory(prefix="stf-bmv2-") as name:
        folder = Path(name)
        driver = (sys.executable, p4c / "backends" / "bmv2" / "run-bmv2-test.py", p4c)
        folders = ("--buildir", _build_folder(folder), "--testdir", folder)
        command: list[str | Path] = [*driver, *folders, *_includes(program), program.source]
        try:
            run = subprocess.run(
                command,
                cwd=folder,
                env=_environment(),
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=_TEST_TIMEOUT_S,
            )
        except subprocess.TimeoutExpired:
            return f"no end within {_TEST_TIMEOUT_S} s"
    return None if run.returncode == 0 else _reason(run.stdout)


def _includes(program: Program) -> tuple[str, ...]:
    """As the driver's options; it finds out the language by itself."""
    return tuple(f"-a=-I{path}" for path in program.includes)


def _build_folder(folder: Path) -> Path:
    """What the driver takes for p4c's build: that BMv2 is there, and the compiler on PATH."""
    build = folder / "build"
    build.mkdir()
    (build / "config.h").write_text("#define HAVE_SIMPLE_SWITCH 1\n")
    compiler = subprocess.run(("which", COMPILER), capture_output=True, text=True, check=True)
    (build / COMPILER).symlink_to(compiler.stdout.strip())
    return build


def _environment() -> Mapping[str, str]:
    """BMv2's command line runs with the system's Python, which may lack this one's packages."""
    packages = (path for path in sys.path if path.endswith("-packages"))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(packages)}


def _reason(output: str) -> str:
    lines = [line for line in output.splitlines() if any(mark in line for mark in _MEANS_FAILURE)]
    return lines[0].removeprefix("ERROR: ") if lines else "failed without a word"


def versions() -> str:
    """Of p4c and BMv2."""
    return f"p4c {_version(COMPILER)} and BMv2 {_version(SWITCH)}"


def _version(program: str) -> str:
    run = subprocess.run((program, "--version"), capture_output=True, text=True, check=True)
    found = re.search(r"\d+(\.\d+)+", run.stdout + run.stderr)
    return found[0] if found else "of unknown version"
