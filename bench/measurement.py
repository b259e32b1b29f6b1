"""Commands of measurements, what they take, and how the runners end when one fails."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any, TypeVar

import click
from p4abs.errors import UserError
from p4abs_switch.testbed.network import NetworkError, check_rights_and_programs, remove_leftovers
from p4abs_switch.testbed.process import NotInstalled, ProcessFailed

Results = TypeVar("Results")
Way = TypeVar("Way")
Found = TypeVar("Found")
Command = TypeVar("Command", bound=Callable[..., Any])


class MeasurementFailed(Exception):
    """A command of a measurement failed; one line with what it said last."""


def in_own_process(module: str) -> dict[str, Any]:
    """What a module of this folder, run as a command, finds. Raises MeasurementFailed."""
    command, folder = [sys.executable, "-m", module], Path(__file__).parent
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
    found: dict[str, Any] = json.loads(output(done))
    return found


def output(done: CompletedProcess[str]) -> str:
    """What a command has printed; empty if its output was not captured.

    Raises MeasurementFailed when it did not end with status 0.
    """
    if done.returncode != 0:
        said = (done.stderr or done.stdout or "").strip().splitlines() or ["see above"]
        command = " ".join(map(str, done.args))
        raise MeasurementFailed(f"{command}: status {done.returncode}: {said[-1]}")
    return done.stdout or ""


def by_turns(rounds: int, ways: Mapping[Way, Callable[[], Found]]) -> dict[Way, list[Found]]:
    """What each way finds, by round. They alternate, so that a disturbance affects all of them."""
    found: dict[Way, list[Found]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, find in ways.items():
            found[way].append(find())
    return found


def resident_bytes(process: int) -> int:
    """What the process has in memory, apart from what it shares with the kernel."""
    lines = Path("/proc", str(process), "status").read_text().splitlines()
    [kilobytes] = [line.split()[1] for line in lines if line.startswith("RssAnon:")]
    return int(kilobytes) * 1024


def measured(measure: Callable[[], Results]) -> Results:
    """What a runner measures. Raises UserError, which ends the runner, when that fails.

    SIGTERM ends the runner as its own exit does: networks and processes go with it.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        check_rights_and_programs()
        remove_leftovers()
        return measure()
    except (MeasurementFailed, NetworkError, NotInstalled, ProcessFailed) as error:
        raise UserError(str(error)) from None


def results_option(*, required: bool = False) -> Callable[[Command], Command]:
    """A runner's option for where it writes to."""
    file = click.Path(path_type=Path, dir_okay=False, writable=True)
    return click.option("--results", type=file, required=required, help="The JSON file to write.")


def write(results: Mapping[str, Any], path: Path) -> None:
    """As JSON; the folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(results, indent=2) + "\n")


def run(measure: Callable[[], Mapping[str, Any]], path: Path | None) -> int:
    """Measures, prints what was found as JSON, and writes it where a path is given.

    Returns the exit status: 1 if the results say `"passed": false`.
    """
    results = measured(measure)
    print(json.dumps(results, indent=2))
    if path is not None:
        write(results, path)
    return 0 if results.get("passed", True) else 1
