"""What a lookup and an insertion cost by kind of table, with rounds that alternate between them."""

import json
import subprocess
from typing import NamedTuple

from measurement import output
from workloads import ROOT

REFERENCE = "exact, 48 bits, 10000 entries"


class Costs(NamedTuple):
    """Medians."""

    lookup_s: float
    insertion_s: float


def costs() -> dict[str, Costs]:
    """By name and size of the table."""
    command = [
        *("cargo", "test", "--release", "--locked", "--quiet", "-p", "pipeline", "--lib"),
        *("lookup_costs", "--", "--ignored", "--nocapture"),
    ]
    done = subprocess.run(command, cwd=ROOT / "switch", capture_output=True, text=True, check=False)
    lines = (line for line in output(done).splitlines() if line.startswith("{"))
    return dict(_costs(line) for line in lines)


def ratios(measured: dict[str, Costs]) -> dict[str, float]:
    """How many times as long as in the table REFERENCE a lookup takes."""
    reference_s = measured[REFERENCE].lookup_s
    return {name: each.lookup_s / reference_s for name, each in measured.items()}


def _costs(line: str) -> tuple[str, Costs]:
    one = json.loads(line)
    name = f"{one['table']}, {one['entries']} entries"
    return name, Costs(one["lookup_ns"] / 1e9, one["insertion_ns"] / 1e9)
