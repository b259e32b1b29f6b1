"""Packets per second of the engine in process, on one core, with the ABS program."""

from __future__ import annotations

import json
import subprocess

from targets import PRODUCTS, ROOT


def packets_per_s() -> dict[int, float]:
    """Speed by frame size in bytes; ingress, queue stamps, egress and deparser included."""
    command = [
        *("cargo", "run", "--release", "--locked", "--quiet", "-p", "pipeline"),
        *("--example", "throughput", "--", str(PRODUCTS / "queue.json")),
    ]
    done = subprocess.run(command, cwd=ROOT / "switch", capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    return {int(size): float(speed) for size, speed in report["pps"].items()}
