"""Measures what the README claims and writes it down: `make bench`.

Speeds are comparisons within one run on one machine; a value that was not measured is null. The
engine's own speed counts the processor time of its thread, the speeds over virtual links count
packets that arrived, with generator, switch and receiver on the same cores.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import control_speed
import engine_speed
import simulation_speed
import veth_speed
from network import NetworkError, check_rights_and_programs, remove_leftovers
from p4abs.access import RegisterPath
from rich.console import Console
from rich.table import Table
from targets import ROOT, Bmv2, Embedded, TargetFailed, TargetMissing


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, required=True, help="the JSON file to write")
    results_file: Path = parser.parse_args().results
    try:
        check_rights_and_programs()
        remove_leftovers()
        results = measure(Console(stderr=True))
    except (NetworkError, TargetFailed, TargetMissing) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    results_file.parent.mkdir(parents=True, exist_ok=True)
    results_file.write_text(json.dumps(results, indent=2) + "\n")
    Console().print(table(results), f"written to {results_file}")
    return 0


def measure(console: Console) -> dict[str, Any]:
    """All measurements, one after the other: each has the machine to itself."""
    console.print("engine in process ...")
    engine = engine_speed.packets_per_s()
    console.print("simulation with the engine in the loop ...")
    simulation_s = simulation_speed.packet_times_s()
    console.print("one exchange with the controller ...")
    exchange_s = control_speed.exchange_median_s(RegisterPath.AUTO)
    register_entry_s = control_speed.exchange_median_s(RegisterPath.REGISTER_ENTRY)
    console.print("forwarding over virtual links ...")
    blast = build_blast()
    kinds = [Embedded, Bmv2] if shutil.which("simple_switch_grpc") else [Embedded]
    speeds = veth_speed.measure(kinds, blast)
    embedded, bmv2 = speeds[0], speeds[1] if len(speeds) > 1 else None
    console.print("control loop during a demonstration ...")
    loop = control_speed.demonstration_loop()
    return {
        "host": {"machine": platform.machine(), "cores": os.cpu_count(), "cpu": cpu_model(),
                 "kernel": platform.release()},
        "engine_pps": min(engine.values()),
        "engine_pps_by_frame_bytes": engine,
        "simulation_packet_s_by_port": simulation_s,
        "simulation_p4_ratio": simulation_speed.p4_ratio(simulation_s),
        "veth_frame_bytes": veth_speed.FRAME_BYTES,
        "veth_pps": embedded.packets_per_s,
        "veth_offered_pps": embedded.offered_pps or None,
        "bmv2_veth_pps": bmv2.packets_per_s if bmv2 else None,
        "bmv2_veth_offered_pps": bmv2.offered_pps or None if bmv2 else None,
        "veth_ratio": embedded.packets_per_s / bmv2.packets_per_s if bmv2 else None,
        "exchange_median_s": exchange_s,
        "register_entry_exchange_median_s": register_entry_s,
        "loop_lateness_p99_s": loop["lateness_p99_s"],
        "loop_missed_deadlines": loop["missed_deadlines"],
        "loop_ticks": loop["ticks"],
        "demonstration_exchange_median_s": loop["exchange_median_s"],
    }  # fmt: skip


def build_blast() -> Path:
    """The packet generator."""
    build = ["cargo", "build", "--release", "--locked", "--quiet", "-p", "engine", "--bin", "blast"]
    subprocess.run(build, cwd=ROOT / "switch", check=True)
    target = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "switch" / "target"))
    return Path(target, "release", "blast")


def cpu_model() -> str:
    """As the kernel names it."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "?")


def table(results: dict[str, Any]) -> Table:
    """One row per measurement."""
    shown = Table("measurement", "value", title=f"{results['host']['cpu']}, "
                  f"{results['host']['cores']} cores")  # fmt: skip
    for key, value in results.items():
        if key != "host":
            text = "not measured" if value is None else value
            shown.add_row(key, f"{text:,.6g}" if isinstance(text, float) else str(text))
    return shown


if __name__ == "__main__":
    sys.exit(main())
