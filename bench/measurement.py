"""Commands of measurements, and how the runners end when one fails."""

from __future__ import annotations

import signal
import sys
from subprocess import CompletedProcess


class MeasurementFailed(Exception):
    """A command of a measurement failed; one line with what it said last."""


def output(done: CompletedProcess[str]) -> str:
    """What a command has printed; empty if its output was not captured.

    Raises MeasurementFailed when it did not end with status 0.
    """
    if done.returncode != 0:
        said = (done.stderr or done.stdout or "").strip().splitlines() or ["see above"]
        command = " ".join(map(str, done.args))
        raise MeasurementFailed(f"{command}: status {done.returncode}: {said[-1]}")
    return done.stdout or ""


def exit_on_sigterm() -> None:
    """SIGTERM ends the runner as its own exit does: networks and processes go with it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
