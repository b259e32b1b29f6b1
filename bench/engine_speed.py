"""Packets per second of the engine in process, on one core."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from finsy.proto import p4i
from google.protobuf import text_format
from measurement import output
from workloads import ROOT, Entry, Workload


def packets_per_s(workload: Workload) -> dict[int, float]:
    """Speed by frame size in bytes; ingress, queue stamps, egress and deparser included."""
    with tempfile.TemporaryDirectory() as scratch:
        entries = Path(scratch, "entries.json")
        entries.write_text(json.dumps(list(_entries(workload))))
        command = [
            *("cargo", "run", "--release", "--locked", "--quiet", "-p", "pipeline"),
            *("--example", "throughput", "--", str(workload.program), str(entries)),
            str(workload.destinations),
        ]
        done = subprocess.run(
            command, cwd=ROOT / "switch", capture_output=True, text=True, check=False
        )
    report = json.loads(output(done))
    return {int(size): float(speed) for size, speed in report["pps"].items()}


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
