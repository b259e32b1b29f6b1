"""Packets per second of the engine in process, on one core.

Machine code beside instructions, and a program that measures flows beside one that does not.
"""

import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from finsy.proto import p4i
from google.protobuf import text_format
from measurement import by_turns, output
from p4abs_switch.testbed.executable_memory import forbid_executable_memory
from workloads import (
    ABS,
    COMPILER,
    ROOT,
    WITHOUT_FLOWS,
    Entry,
    Workload,
    compile_without_flows,
    has_compiler,
)

ROUNDS = 3
FLOWS = (1, 256, 10_000)


@dataclass(frozen=True)
class Speed:
    """Packets per second by frame size in bytes, and their ratio to those of a program that runs as
    instructions; None where both run as the same. How long the program takes to load and to become
    machine code, which is None where there is none."""

    pps: dict[int, float]
    ratio: dict[int, float] | None
    load_s: float
    compile_s: float | None


@dataclass(frozen=True)
class _Report:
    """What the example `throughput` prints."""

    load_s: float
    compile_s: float | None
    pps: dict[int, float]


def measure(workload: Workload) -> Speed:
    """Medians of alternating rounds; ingress, queue stamps, egress and deparser included."""
    runs = by_turns(ROUNDS, {free: partial(_run, workload, free) for free in (True, False)})
    free, bound = runs[True], runs[False]
    pps, instructions = _medians(free), _medians(bound)
    load_s = median(each.load_s for each in free)
    compile_s = [each.compile_s for each in free if each.compile_s is not None]
    if not compile_s:
        return Speed(pps, None, load_s, None)
    is_compared = bound[0].compile_s is None
    ratio = {size: pps[size] / instructions[size] for size in pps} if is_compared else None
    return Speed(pps, ratio, load_s, median(compile_s))


def flow_ratios() -> dict[int, float] | str:
    """The speed with the program that measures flows, divided by that without, by the number of
    flows. Frames are the shortest. Without p4c: what is missing. Raises MeasurementFailed."""
    if not has_compiler():
        return f"{COMPILER} is not on PATH"
    compile_without_flows()
    return {flows: _flow_ratio(flows) for flows in FLOWS}


def _flow_ratio(flows: int) -> float:
    programs = (replace(each, destinations=flows) for each in (ABS, WITHOUT_FLOWS))
    runs = by_turns(ROUNDS, {each.name: partial(_run, each, True) for each in programs})
    pps = {name: _medians(reports) for name, reports in runs.items()}
    shortest = min(pps[ABS.name])
    return pps[ABS.name][shortest] / pps[WITHOUT_FLOWS.name][shortest]


def _medians(reports: Sequence[_Report]) -> dict[int, float]:
    return {size: median(each.pps[size] for each in reports) for size in reports[0].pps}


def _run(workload: Workload, may_compile: bool) -> _Report:
    with tempfile.TemporaryDirectory() as scratch:
        entries = Path(scratch, "entries.json")
        entries.write_text(json.dumps(list(_entries(workload))))
        command = [
            *("cargo", "run", "--release", "--locked", "--quiet", "-p", "pipeline"),
            *("--example", "throughput", "--", str(workload.program), str(entries)),
            str(workload.destinations),
        ]
        done = subprocess.run(
            command,
            cwd=ROOT / "switch",
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=None if may_compile else forbid_executable_memory,
        )
    report = json.loads(output(done))
    pps = {int(size): float(speed) for size, speed in report["pps"].items()}
    return _Report(report["load_s"], report["compile_s"], pps)


def _entries(workload: Workload) -> Iterator[dict[str, Any]]:
    """As the example `throughput` reads them."""
    p4info = text_format.Parse(workload.p4info.read_text(), p4i.P4Info())
    tables = {table.preamble.name: table for table in p4info.tables}
    actions = {action.preamble.name: action for action in p4info.actions}
    for entry in workload.entries():
        fields = tables[entry.table].match_fields
        parameters = actions[entry.action].params
        yield {
            "table": entry.table,
            "key": [_field(entry, field.name, field.bitwidth) for field in fields],
            "action": entry.action,
            "arguments": [_hex(entry.arguments[p.name], p.bitwidth) for p in parameters],
        }


def _field(entry: Entry, name: str, bits: int) -> dict[str, Any]:
    value = entry.key[name]
    if isinstance(value, int):
        return {"value": _hex(value, bits)}
    return {"value": _hex(value.value, bits), "prefix_length": value.length}


def _hex(value: int, bits: int) -> str:
    return value.to_bytes((bits + 7) // 8, "big").hex()
