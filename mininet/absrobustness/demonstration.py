"""One demonstration, as `make demo` runs it, in a process of its own and not for ever."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from p4abs.errors import P4absError
from p4abs_switch.testbed.process import run_to_end

from absrobustness.cases import Case

DEMO = Path(__file__).resolve().parents[1] / "demo.py"
AROUND_S = 120.0  # for setting up, ending and drawing, on a machine that is busy
END_S = 30.0


class DemonstrationFailed(P4absError):
    """It has no summary; one line says why."""


def demonstrate(case: Case, duration_s: float, folder: Path) -> dict[str, Any]:
    """Runs it to its end; what its summary.json holds. Raises DemonstrationFailed."""
    folder.mkdir(parents=True, exist_ok=True)
    log, summary = folder / "demo.log", folder / "summary.json"
    summary.unlink(missing_ok=True)
    status = _run(command(case, duration_s, folder), log, duration_s + AROUND_S)
    if status != 0:
        said = (log.read_text(errors="replace").strip().splitlines() or ["no message"])[-1]
        raise DemonstrationFailed(f"status {status}: {said}")
    found: dict[str, Any] = json.loads(summary.read_text())
    return found


def command(case: Case, duration_s: float, folder: Path) -> list[str]:
    """What is run for a case."""
    options = {"duration": f"{duration_s:g}", "results": str(folder), **case.options}
    words = (word for name, value in options.items() for word in (f"--{name}", value))
    return [sys.executable, str(DEMO), "--headless", *words]


def _run(words: list[str], log: Path, patience_s: float) -> int:
    """Its exit status. It gets the time to clean up, whatever ends it."""
    with log.open("wb") as output:
        try:
            return run_to_end(words, patience_s, END_S, output)
        except subprocess.TimeoutExpired:
            raise DemonstrationFailed(f"not at its end after {patience_s:g} s") from None
