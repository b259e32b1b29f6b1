"""`p4abs control`, run as a process of its own, as a user would run it."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from absdemo.processes import Entry, Ledger, end, wait_until
from absdemo.samples import SampleFile
from absdemo.settings import INTERVAL_S, Settings
from absdemo.target import last_line

READY_TIMEOUT_S = 20.0
IN_CONTROL = "in control"  # says `p4abs control` once its limit is in the switch
P4ABS = (sys.executable, "-m", "p4abs")


class ControllerError(Exception):
    """The controller has ended by itself."""


@dataclass(frozen=True)
class Controller:
    """A running controller and the files it writes."""

    name: str
    process: subprocess.Popen[bytes]
    entry: Entry
    samples: SampleFile
    summary: Path
    log: Path

    def wait_until_in_control(self) -> None:
        """Raises ControllerError if that takes too long."""
        if not wait_until(self._is_in_control, self.process, READY_TIMEOUT_S):
            raise ControllerError(f"p4abs control ({self.name}) fails: {last_line(self.log)}")

    def _is_in_control(self) -> bool:
        return IN_CONTROL in self.log.read_text()

    def check(self) -> None:
        """Raises ControllerError if it has ended."""
        if self.process.poll() is not None:
            raise ControllerError(f"p4abs control ({self.name}) has ended: {last_line(self.log)}")

    def stop(self) -> None:
        """Ends it; it leaves its last limit in the switch."""
        end([self.entry])
        self.process.wait()

    def control_loop(self) -> dict[str, Any]:
        """How well it kept time; empty if it did not say."""
        if not self.summary.exists():
            return {}
        found: dict[str, Any] = json.loads(self.summary.read_text())
        return found


def start(
    ledger: Ledger,
    settings: Settings,
    address: str,
    port: int,
    policy: str,
    directory: Path,
) -> Controller:
    """Starts a controller that begins with the oversized limit."""
    samples = directory / f"samples-{policy}.csv"
    summary = directory / f"control-{policy}.json"
    log = directory / f"control-{policy}.log"
    limit_bytes = settings.oversized_limit_bytes
    command = [
        *P4ABS,
        "control",
        *("--grpc-addr", address),
        *("--device-id", "1"),
        "--port",
        f"{port},capacity={settings.capacity_bps}bit,utilization={settings.utilization}"
        f",loss={settings.loss},initial-limit={limit_bytes}B,max-limit={limit_bytes}B",
        *("--policy", policy),
        *("--interval", f"{INTERVAL_S * 1e3:g}ms"),
        *("--samples", str(samples)),
        *("--summary", str(summary)),
    ]
    for path in (samples, summary):
        path.unlink(missing_ok=True)
    with log.open("wb") as output:
        process = ledger.start(command, output)
    return Controller(policy, process, ledger.entries[-1], SampleFile(samples), summary, log)
