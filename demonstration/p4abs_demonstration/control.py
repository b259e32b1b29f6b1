"""`p4abs control`, run as a process of its own, as a user would run it."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from p4abs_switch.testbed.process import RunningProcess, Start

from p4abs_demonstration.measure.samples import SampleFile
from p4abs_demonstration.settings import INTERVAL_S, Settings

READY_DEADLINE_S = 20.0
IN_CONTROL = "in control"  # says `p4abs control` once its limit is in the switch
P4ABS_CONTROL = (sys.executable, "-m", "p4abs", "control")


@dataclass(frozen=True)
class Controller:
    """A running controller and the files it writes."""

    process: RunningProcess
    samples: SampleFile
    summary: Path

    def wait_until_in_control(self) -> None:
        """Raises ProcessFailed if it ends before, or if that takes too long."""
        log = self.process.log
        self.process.wait_until(
            lambda: IN_CONTROL in log.read_text(), f"said {IN_CONTROL!r}", READY_DEADLINE_S
        )

    def control_loop(self) -> dict[str, Any]:
        """How well the controller kept time; empty if it did not report that."""
        if not self.summary.exists():
            return {}
        switches: dict[str, dict[str, Any]] = json.loads(self.summary.read_text())["switches"]
        return next(iter(switches.values()))


def start(
    start_process: Start,
    settings: Settings,
    address: str,
    port: int,
    policy: str,
    directory: Path,
    initial_limit_bytes: int | None = None,
) -> Controller:
    """Starts a controller; it begins with the oversized limit, unless it is given another one."""
    samples = directory / f"samples-{policy}.csv"
    summary = directory / f"control-{policy}.json"
    for path in (samples, summary):
        path.unlink(missing_ok=True)
    command = [
        *P4ABS_CONTROL,
        *("--grpc-addr", address, "--device-id", "1"),
        *("--port", _port(settings, port, initial_limit_bytes)),
        *("--policy", policy),
        *("--interval", f"{INTERVAL_S * 1e3:g}ms"),
        *("--samples", str(samples), "--summary", str(summary)),
    ]
    log = directory / f"control-{policy}.log"
    process = RunningProcess(f"p4abs control ({policy})", command, log, start_process)
    return Controller(process, SampleFile(samples), summary)


def _port(settings: Settings, port: int, initial_limit_bytes: int | None) -> str:
    """The bottleneck and its targets, in the words of `p4abs control --port`."""
    max_bytes = settings.oversized_limit_bytes
    initial_bytes = max_bytes if initial_limit_bytes is None else initial_limit_bytes
    declared_bps = settings.capacity_declared_bps
    capacity = "" if declared_bps is None else f",capacity={declared_bps}bit"
    return (
        f"{port}{capacity},utilization={settings.utilization}"
        f",loss={settings.loss},initial-limit={initial_bytes}B,max-limit={max_bytes}B"
    )
