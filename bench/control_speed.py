"""How long an exchange takes, and how well the loop keeps its schedule."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measurement import MeasurementFailed, output
from p4abs.access.discovery import RegisterPath
from p4abs_switch.testbed.network import Network
from p4abs_switch.testbed.process import run_to_end
from targets import DEVICE_ID, PORTS, RECEIVER, embedded
from workloads import ABS, ROOT

EXCHANGES = 2000
LOOP_RUN_S = 75  # ABS controls for seven eighths of it: more than a minute
TIMEOUT_S = 180.0
CLEAN_UP_S = 30.0


def exchange_durations_s(path: RegisterPath, ports: int = 1) -> list[float]:
    """Of exchanges (limits written, registers read) of so many ports with the idle embedded
    target."""
    with tempfile.TemporaryDirectory() as scratch, Network(PORTS) as network:
        target = embedded(network, Path(scratch, "target.log"))
        command = [
            *(sys.executable, str(ROOT / "bench" / "exchange.py"), target.address, str(DEVICE_ID)),
            *(str(ABS.program), str(RECEIVER), str(ports), str(EXCHANGES), path),
        ]
        found: list[float] = json.loads(output(network.run(command, timeout_s=TIMEOUT_S)))
        return found


def demonstration_loop() -> dict[str, Any]:
    """The controller's summary of a demonstration of LOOP_RUN_S with the default settings."""
    with tempfile.TemporaryDirectory() as results:
        command = [
            *(sys.executable, str(ROOT / "mininet" / "demo.py")),
            *("--duration", str(LOOP_RUN_S), "--results", results),
        ]
        output(_run_or_end(command))
        summary: dict[str, Any] = json.loads(Path(results, "summary.json").read_text())
        loop: dict[str, Any] = summary["control_loop"]
        return loop


def _run_or_end(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.CompletedProcess(command, run_to_end(command, TIMEOUT_S, CLEAN_UP_S))
    except subprocess.TimeoutExpired:
        raise MeasurementFailed(f"no end of a demonstration within {TIMEOUT_S:g} s") from None
