"""p4testgen and p4c's back end for BMv2 at work on a program, in a folder of its own.

What the folder has already is not made again: remove it for a new start.
"""

import re
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from p4abs_switch._engine import PORT_LIMIT

from conformance.p4c.compilation import compiled
from conformance.p4c.programs import Program
from conformance.workplace.compiler import COMPILER, DoesNotCompile

GENERATOR = "p4testgen"
MAX_TESTS = 10
_MAX_BITS = 12_000  # of a frame, as p4c's own tests
_MAX_CPU_S = 15  # not time on the clock: results shall not depend on what else runs
_TIMEOUT_S = 600
_OPTIONS = (
    *("--target", "bmv2", "--arch", "v1model", "--test-backend", "STF", "--seed", "1"),
    *("--max-tests", str(MAX_TESTS), "--packet-size-range", f"0:{_MAX_BITS}"),
    *("--port-ranges", f"0:{PORT_LIMIT - 1}"),
    *("--path-selection", "GREEDY_STATEMENT_SEARCH", "--track-coverage", "STATEMENTS"),
)
_LOG = "p4testgen.log"
_BASE_NAME = "test"
_COVERED = re.compile(r"^=+ Test (\d+): Nodes covered: [\d.]+ \((\d+)/(\d+)\)", re.MULTILINE)
_ERROR = re.compile(
    r"^(?:\S+\.p4\(\d+\): )?(?:\[--Werror=[^]]+\] )?(?:error|Unimplemented \w+ support): (.+)"
    r"|(Unhandled node type in .+|Compiler Bug.*)$",
    re.MULTILINE,
)
_PLACE = re.compile(r"\S+\.p4\(\d+\): ")


@dataclass(frozen=True, slots=True)
class Generated:
    """What came of a program.

    program: None if p4c's back end for BMv2 refuses it; tests: in order; covered: of how many
    statements they reach how many; obstacle: why there is no program or no test.
    """

    program: Path | None
    tests: tuple[Path, ...]
    covered: tuple[int, int]
    obstacle: str | None


def generate(program: Program, folder: Path) -> Generated:
    """Compiles a program and makes its tests, where that is not done. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        product = compiled(program, folder).json
    except DoesNotCompile as error:
        told = _told(str(error)) or "says nothing and writes nothing"
        return Generated(None, (), (0, 0), f"{COMPILER}: {told}")
    options = (*_OPTIONS, "--test-name", _BASE_NAME, "--out-dir", folder)
    includes = [f"-I{path}" for path in program.includes]
    _run_once((GENERATOR, *options, *includes, program.source), folder / _LOG)
    return _read(product, folder)


def _run_once(command: Sequence[object], log: Path) -> None:
    """The log gets its name when the command has ended."""
    if log.exists():
        return
    growing = log.with_suffix(".part")
    with growing.open("w") as output:
        try:
            done = subprocess.run(
                ["prlimit", f"--cpu={_MAX_CPU_S}", *map(str, command)],
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=_TIMEOUT_S,
            )
        except subprocess.TimeoutExpired:
            print(f"error: no end within {_TIMEOUT_S} s", file=output)
        else:
            if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
                print(f"error: no end within {_MAX_CPU_S} s of processor time", file=output)
    growing.rename(log)


def _read(program: Path, folder: Path) -> Generated:
    said = (folder / _LOG).read_text(errors="replace")
    tests = sorted(folder.glob(f"{_BASE_NAME}_*.stf"), key=_number)
    numbers = {_number(test) for test in tests}
    covered = [
        (int(n), int(all_)) for test, n, all_ in _COVERED.findall(said) if int(test) in numbers
    ]
    obstacle = None if tests else f"{GENERATOR}: {_told(said) or _no_test(said)}"
    return Generated(program, tuple(tests), max(covered, default=(0, 0)), obstacle)


def _number(test: Path) -> int:
    return int(test.stem.rpartition("_")[2])


def _told(said: str) -> str | None:
    """The first error, without its place."""
    found = _ERROR.search(said)
    return None if found is None else _PLACE.sub("", found[1] or found[2]).strip()


def _no_test(said: str) -> str:
    if "Concolic constraints" in said:
        return "finds no values that a hash or checksum lets through"
    if "Unable to generate tests" in said:
        return "finds no path"
    return "makes no test and does not say why"
